// What other capabilities may use of measurement.

export { measurementCapability } from './capability.ts';
export type { Form } from './diagnostics/engine/forms.ts';
export { nextStep } from './diagnostics/engine/next-item.ts';
export { finishDiagnostic } from './diagnostics/finish.ts';
export { judged } from './diagnostics/respond.ts';
export { servedItem } from './diagnostics/serve.ts';
export type { OpenSession } from './diagnostics/session.ts';
export { startDiagnostic } from './diagnostics/start.ts';
export { stateOf, storeSitting } from './diagnostics/store.ts';
export {
  cbmAlertClosed,
  cbmAlertOpened,
  cbmTrendChanged,
  diagnosticFinished,
  orfScored,
  practiceCompleted,
} from './events.ts';
export { behaviourLayer } from './evidence/behaviour.ts';
export { behaviourLog } from './evidence/behaviour-log.ts';
export { type BehaviourLayer, compileBehaviour } from './evidence/engine/behaviour.ts';
export {
  type EvaluationInput,
  EvidenceError,
  type EvidenceResponse,
  type EvidenceSession,
  errorClasses,
  evidenceSources,
  type ResponseFacts,
} from './evidence/engine/evidence.ts';
export { isNameWithdrawn, isWithdrawnBy } from './evidence/engine/served.ts';
export { readThresholds, type Thresholds } from './evidence/engine/thresholds.ts';
export type { SessionsOf, StudentSession } from './evidence/reader.ts';
export { type EvidenceServices, loadEvidence, underContextReview } from './evidence/store.ts';
export {
  diagnosticAnswers,
  practiceQueueAnswers,
  type SupportedAnswers,
  type SupportedAnswersReader,
} from './evidence/supported-answers.ts';
export { newestAnswerOf, type SessionRef, transcriptOf } from './evidence/transcript.ts';
export type { StudentWindow } from './evidence/windows.ts';
export {
  benchmarksOf,
  type Cuts,
  type MeasureCode,
  resolveBenchmark,
  resolvedBy,
  type Verdict,
} from './fluency/engine/benchmark.ts';
export { cbmRules, trendTypes } from './fluency/engine/cbm-rules.ts';
export { newestProbes } from './fluency/queries.ts';
export { markWords, stopAssessment } from './fluency/reading.ts';
export { startReading } from './fluency/start.ts';
export { type MonitoredSeries, newestSeries, openSignals } from './fluency/trend/newest-series.ts';
export { probeRolesOf } from './fluency/trend/probe-roles.ts';
export { practiceAnswers, practiceDeliveries } from './practice/training.ts';
export { activeMeasurement, formsFor, stampVersion } from './rules.ts';
export { estimateAbility, standardPrior } from './scoring/engine/eap.ts';
export { eligibleItems, selectNext } from './scoring/engine/select.ts';
export { type MeasurementDocument, measurementDocument, numbersOf } from './scoring/engine/values.ts';
export { type SomeStudents, seenItems, studentBindings, studentIdArray } from './seen-items.ts';
export type { TrainingEscalation, TrainingYear } from './services.ts';
export type { Delivery, TrainingAnswer } from './training.ts';
export { trainingAnswers } from './warmup/queries.ts';
export { measureCodes } from './words.ts';
