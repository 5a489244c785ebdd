// Reads all rules of measurement from a bundle, for checks before publishing.
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { refuseContradictions } from './contradictions.ts';
import { benchmarksOf } from './fluency/engine/benchmark.ts';
import { cbmRules } from './fluency/engine/cbm-rules.ts';
import { readPracticeValues } from './practice/engine/values.ts';
import { readMeasurementValues } from './scoring/engine/values.ts';
import { readWarmupValues } from './warmup/engine/values.ts';

/** Throws the error of the reader that cannot read a document. */
export function readMeasurementRules(bundle: RuleBundle): void {
  readMeasurementValues(bundle);
  readPracticeValues(bundle);
  readWarmupValues(bundle);
  cbmRules(bundle);
  benchmarksOf(bundle);
  refuseContradictions(bundle);
}
