// Reads every rule of measurement out of a bundle, as its capabilities will: for those who publish rules.
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { refuseContradictions } from './contradictions.ts';
import { benchmarksOf } from './fluency/engine/benchmark.ts';
import { cbmRules } from './fluency/engine/cbm-rules.ts';
import { readPracticeValues } from './practice/engine/values.ts';
import { readMeasurementValues } from './scoring/engine/values.ts';
import { readWarmupValues } from './warmup/engine/values.ts';

/** Throws what the reader throws that cannot make sense of a document. */
export function readMeasurementRules(bundle: RuleBundle): void {
  readMeasurementValues(bundle);
  readPracticeValues(bundle);
  readWarmupValues(bundle);
  cbmRules(bundle);
  benchmarksOf(bundle);
  refuseContradictions(bundle);
}
