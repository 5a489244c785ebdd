// What engines, of this service and of other capabilities, may use of measurement: pure functions and their types.
export type { Form } from '../diagnostics/engine/forms.ts';
export { nextStep } from '../diagnostics/engine/next-item.ts';
export { type BehaviourLayer, compileBehaviour } from '../evidence/engine/behaviour.ts';
export {
  type EvaluationInput,
  EvidenceError,
  type EvidenceResponse,
  type EvidenceSession,
  errorClasses,
  evidenceSources,
  type ResponseFacts,
} from '../evidence/engine/evidence.ts';
export { marksOf, responseWithMarks } from '../evidence/engine/response-marks.ts';
export { isNameWithdrawn, isWithdrawnBy } from '../evidence/engine/served.ts';
export { readThresholds, type Thresholds } from '../evidence/engine/thresholds.ts';
export {
  benchmarksOf,
  type Cuts,
  type MeasureCode,
  resolveBenchmark,
  resolvedBy,
  type Verdict,
} from '../fluency/engine/benchmark.ts';
export { cbmRules, trendTypes } from '../fluency/engine/cbm-rules.ts';
export { estimateAbility, standardPrior } from '../scoring/engine/eap.ts';
export { eligibleItems, selectNext } from '../scoring/engine/select.ts';
export { type MeasurementDocument, measurementDocument, measurementNumbers } from '../scoring/engine/values.ts';
export type { HintDelivery, TrainingAnswer } from '../training.ts';
