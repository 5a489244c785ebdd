// What each band means, in the words of those who read it. Teachers see students, managers see counts alone.
import type { DocumentName, RuleBundle } from '#rules/rulesets/index.ts';

/** In the order in which they are shown. */
export const aggregateBands = ['Meets', 'Approaching', 'Below', 'Severe', 'More_Data'] as const;
export type AggregateBand = (typeof aggregateBands)[number];

/** Of students there are further ones, which aggregates count as More_Data. */
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

/** In the order in which they are shown. Throws BundleError without the document, RangeError where it lacks a band. */
export function bandDescriptions(bundle: RuleBundle, audience: BandAudience): readonly BandDescription[] {
  const name = bandDocuments[audience];
  const { bands } = bundle.values<{ readonly bands: readonly BandDescription[] }>(name);
  return bandsFor[audience].map((band) => {
    const found = bands.find((one) => one.band === band);
    if (!found) throw new RangeError(`${name} does not say what ${band} means`);
    return found;
  });
}
