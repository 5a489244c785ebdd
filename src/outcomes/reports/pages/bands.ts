// Patterns, shades and labels of bands in charts and tables. The more support is needed, the darker the band; every
// band has its own pattern.

import type { FillPattern } from '#core/platform/pdf/charts/patterns.ts';
import type { StudentBand } from '../../aggregates/index.ts';

export const patternOf: Readonly<Record<StudentBand, FillPattern>> = {
  Meets: 'blank',
  Approaching: 'rising',
  Below: 'middle',
  Severe: 'dark',
  More_Data: 'crossed',
  Partial: 'upright',
  Contextual: 'level',
  Not_Assessed: 'grid',
};

/**
 * Backgrounds of table cells, light enough to stay readable in copies. Bands without a result have grey text instead.
 */
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

/** Returns a function from band to label. It throws RangeError for a band that the document does not describe. */
export function wordsFor(bands: readonly BandWords[]): (band: StudentBand) => string {
  const byBand = new Map(bands.map(({ band, labelAr }) => [band, labelAr]));
  return (band) => {
    const label = byBand.get(band);
    if (label === undefined) throw new RangeError(`no label for the band ${band}`);
    return label;
  };
}
