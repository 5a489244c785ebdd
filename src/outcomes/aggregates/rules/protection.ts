// How small a count may be that is shown, and how narrowly a hidden one may be known.

import type { RuleBundle } from '#rules/rulesets/index.ts';
import { numbersOf } from '#support/interventions/index.ts';
import { bandDocuments } from './bands.ts';

const constantIds = {
  /** Counts below it are hidden; classes with fewer students are in no aggregate. */
  threshold: 'PRT-MIN-01',
  /** The largest less the smallest value that a hidden count may have is at least this. */
  width: 'PRT-WID-01',
} as const;

export type ProtectionSettings = Readonly<Record<keyof typeof constantIds, number>>;

/** Throws BundleError when the document is missing, RangeError when it lacks a constant. */
export const protectionSettings = (bundle: RuleBundle): ProtectionSettings =>
  numbersOf(bundle, bandDocuments.manager, constantIds);
