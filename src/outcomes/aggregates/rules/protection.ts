// Protection settings: the smallest count that may be shown, and the minimum uncertainty of a suppressed count.

import type { RuleBundle } from '#rules/rulesets/index.ts';
import { numbersOf } from '#support/interventions/index.ts';
import { bandDocuments } from './bands.ts';

const constantIds = {
  /** Smaller counts are suppressed; classes with fewer students are in no aggregate. */
  threshold: 'PRT-MIN-01',
  /** Minimum difference of the largest and the smallest possible value of a suppressed count. */
  width: 'PRT-WID-01',
} as const;

export type ProtectionSettings = Readonly<Record<keyof typeof constantIds, number>>;

/** Throws BundleError when the document is missing, RangeError when it lacks a constant. */
export const protectionSettings = (bundle: RuleBundle): ProtectionSettings =>
  numbersOf(bundle, bandDocuments.manager, constantIds);
