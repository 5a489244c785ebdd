// Descriptions of bands for their audiences: teachers read students, managers read counts only.
import type { DocumentName, RuleBundle } from '#rules/rulesets/index.ts';

/** Bands in display order. */
export const aggregateBands = ['Meets', 'Approaching', 'Below', 'Severe', 'More_Data'] as const;
export type AggregateBand = (typeof aggregateBands)[number];

/** Bands of single students; aggregates count the additional ones as More_Data. */
export const studentBands = [...aggregateBands, 'Partial', 'Contextual', 'Not_Assessed'] as const;
export type StudentBand = (typeof studentBands)[number];

export const bandAudiences = ['teacher', 'manager'] as const;
export type BandAudience = (typeof bandAudiences)[number];

export const bandDocuments = {
  teacher: 'band-descriptions/teacher',
  manager: 'band-descriptions/manager',
} as const satisfies Readonly<Record<BandAudience, DocumentName>>;

const bandsFor: Readonly<Record<BandAudience, readonly StudentBand[]>> = {
  teacher: studentBands,
  manager: aggregateBands,
};

export interface BandDescription {
  readonly band: StudentBand;
  readonly labelAr: string;
  readonly descriptionAr: string;
}

/**
 * Returns the descriptions in display order. Throws BundleError without the document, RangeError when it lacks a band.
 */
export function bandDescriptions(bundle: RuleBundle, audience: BandAudience): readonly BandDescription[] {
  const name = bandDocuments[audience];
  const { bands } = bundle.values<{ readonly bands: readonly BandDescription[] }>(name);
  return bandsFor[audience].map((band) => {
    const found = bands.find((one) => one.band === band);
    if (!found) throw new RangeError(`${name} has no description of ${band}`);
    return found;
  });
}
