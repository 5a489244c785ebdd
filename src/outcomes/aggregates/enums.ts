// Enums of counts of schools and organizations: units, bands, and the statistics that are published of a unit.
import { type Season, seasons } from '#rules/catalogue/index.ts';

export const units = ['class', 'school', 'organization'] as const;
export type Unit = (typeof units)[number];

/** Units that are released at once: a school with its classes, or an organization alone. */
export const releasedUnits = ['school', 'organization'] as const;
export type ReleasedUnit = (typeof releasedUnits)[number];

export const sufficiencyBands = ['sufficient', 'insufficient', 'contextual'] as const;

/** The band of students who are in no other band of a statistic, so that counts add up to all students. */
export const noBand = 'none';

/**
 * The `space` of a cell. Its `subject` is a tile code, a bundle id, or empty where the statistic has one cell for each
 * unit.
 */
export const statistics = ['tile', 'sufficiency', 'bundle_effect', 'square'] as const;
export type Statistic = (typeof statistics)[number];

export { type Season, seasons };
