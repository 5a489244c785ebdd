// The teaser's constants and texts, read from a pinned `scoring/measurement` document.

import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { type MeasurementDocument, measurementDocument, measurementNumbers } from '../../measurement/engine/index.ts';

export type TeaserBand = 'meets' | 'approaching' | 'below' | 'severe';

interface BandText {
  readonly band: TeaserBand;
  readonly labelAr: string;
  readonly descriptionAr: string;
}

interface TeaserDocument extends MeasurementDocument {
  readonly teaser: {
    readonly labelPrefixAr: string;
    readonly disclaimerAr: string;
    readonly bands: readonly BandText[];
    readonly itemSets: readonly { readonly grade: number; readonly subSkill: string }[];
  };
}

export interface StartLimit {
  readonly maxStarts: number;
  readonly windowMs: number;
}

export interface TeaserValues {
  /** `scoring/measurement@1` */
  readonly ruleVersion: string;
  readonly itemCount: number;
  readonly limit: StartLimit;
  /** Best band first; the last has no lower end. */
  readonly bands: readonly (BandText & { readonly minLogit: number })[];
  readonly labelPrefixAr: string;
  readonly disclaimerAr: string;
  /** By grade. */
  readonly subSkills: ReadonlyMap<number, string>;
}

const order: readonly TeaserBand[] = ['meets', 'approaching', 'below', 'severe'];

/** Throws RangeError when a band would be empty. */
function falling(lowerEnds: readonly number[]): readonly number[] {
  if (lowerEnds.some((end, at) => end >= (lowerEnds[at - 1] ?? Number.POSITIVE_INFINITY))) {
    throw new RangeError('TSR-BND-01 to TSR-BND-03 must fall');
  }
  return lowerEnds;
}

/** Throws RangeError unless every band occurs once, best first, which is the order of their limits. */
function inOrder(bands: readonly BandText[]): readonly BandText[] {
  if (bands.length !== order.length || bands.some(({ band }, at) => band !== order[at])) {
    throw new RangeError('the bands of the teaser must be in the order from best to last');
  }
  return bands;
}

/** Throws BundleError when the document is missing, RangeError when a constant is, or when bands are out of order. */
export function readTeaserValues(bundle: RuleBundle): TeaserValues {
  const document = bundle.values<TeaserDocument>(measurementDocument);
  const { teaser } = document;
  const constant = measurementNumbers(document);
  const lowerEnds = falling([...['TSR-BND-01', 'TSR-BND-02', 'TSR-BND-03'].map(constant), Number.NEGATIVE_INFINITY]);
  return {
    ruleVersion: `${measurementDocument}@${bundle.versions[measurementDocument]}`,
    itemCount: constant('TSR-ITM-01'),
    limit: { maxStarts: constant('TSR-LIM-01'), windowMs: constant('TSR-LIM-02') * minuteMs },
    bands: inOrder(teaser.bands).map((text, at) => ({ ...text, minLogit: lowerEnds[at] ?? Number.NEGATIVE_INFINITY })),
    labelPrefixAr: teaser.labelPrefixAr,
    disclaimerAr: teaser.disclaimerAr,
    subSkills: new Map(teaser.itemSets.map(({ grade, subSkill }) => [grade, subSkill])),
  };
}
