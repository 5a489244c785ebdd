// The closed words of what is counted of many children: units, bands, and the spaces of cells that are published of a unit.
import { type Season, seasons } from '#rules/catalogue/index.ts';

export const units = ['class', 'school', 'organization'] as const;
export type Unit = (typeof units)[number];

/** What is released together: a school with its classes, or an organization alone. */
export const releasedUnits = ['school', 'organization'] as const;
export type ReleasedUnit = (typeof releasedUnits)[number];

export const sufficiencyBands = ['sufficient', 'insufficient', 'contextual'] as const;

/** Who is in none of the other bands of a space, so that its counts add up to all who are counted. */
export const noBand = 'none';

/** `subject` of a cell: a tile code, a bundle id, or nothing where the space has one cell a unit. */
export const spaces = ['tile', 'sufficiency', 'bundle_effect', 'square'] as const;
export type Space = (typeof spaces)[number];

export { type Season, seasons };
