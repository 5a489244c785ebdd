// How bands look in charts, and what they are called there. The best one is the darkest, and no two share a hatching.
import type { StudentBand } from '../../aggregates/index.ts';
import type { Pattern } from '../../platform/pdf/charts/patterns.ts';

export const patternOf: Readonly<Record<StudentBand, Pattern>> = {
  Meets: 'dark',
  Approaching: 'middle',
  Below: 'rising',
  Severe: 'crossed',
  More_Data: 'blank',
  Partial: 'upright',
  Contextual: 'level',
  Not_Assessed: 'grid',
};

export interface BandWords {
  readonly band: StudentBand;
  readonly labelAr: string;
  readonly descriptionAr: string;
}

/** Throws RangeError for a band that the document does not describe. */
export function wordsFor(bands: readonly BandWords[]): (band: StudentBand) => string {
  const byBand = new Map(bands.map(({ band, labelAr }) => [band, labelAr]));
  return (band) => {
    const label = byBand.get(band);
    if (label === undefined) throw new RangeError(`nothing says what ${band} means`);
    return label;
  };
}
