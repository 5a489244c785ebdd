// How bands look in charts and in tables, and what they are called there. The more support is due, the darker; no two share a
// hatching.

import type { Pattern } from '#core/platform/pdf/charts/patterns.ts';
import type { StudentBand } from '../../aggregates/index.ts';

export const patternOf: Readonly<Record<StudentBand, Pattern>> = {
  Meets: 'blank',
  Approaching: 'rising',
  Below: 'middle',
  Severe: 'dark',
  More_Data: 'crossed',
  Partial: 'upright',
  Contextual: 'level',
  Not_Assessed: 'grid',
};

/** Behind black words: light enough to be read when it was copied. Where nothing is judged, the words themselves are grey. */
export const shadeOf: Readonly<Record<StudentBand, { readonly fill?: string; readonly color?: string }>> = {
  Meets: {},
  Approaching: { fill: '#ededed' },
  Below: { fill: '#d2d2d2' },
  Severe: { fill: '#b0b0b0' },
  More_Data: { color: '#5a5a5a' },
  Partial: { color: '#5a5a5a' },
  Contextual: { color: '#5a5a5a' },
  Not_Assessed: { color: '#5a5a5a' },
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
