// What other capabilities may use of measurement.

export type { Form } from './diagnostics/engine/forms.ts';
export { finishDiagnostic } from './diagnostics/finish.ts';
export { diagnosticJobs } from './diagnostics/jobs.ts';
export { acceptResponse } from './diagnostics/respond.ts';
export { diagnosticRoutes } from './diagnostics/routes.ts';
export { serveNext } from './diagnostics/serve.ts';
export { lockOpen, type OpenSession } from './diagnostics/session.ts';
export { startDiagnostic } from './diagnostics/start.ts';
export { DiagnosticServedItem, loadRecord, type SessionRecord } from './diagnostics/store.ts';
export { workedSession } from './diagnostics/worked.ts';
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
export { readThresholds, type Thresholds } from './evidence/engine/thresholds.ts';
export type { SessionsOf, StudentSession } from './evidence/reader.ts';
export { loadEvidence, underContextReview } from './evidence/store.ts';
export { benchmarksOf, resolveBenchmark } from './fluency/engine/benchmark.ts';
export { trendExplainer } from './fluency/explain/explain-trend.ts';
export { type ScoredReading, scoredOrf } from './fluency/queries.ts';
export { fluencyRoutes } from './fluency/routes.ts';
export { practiceRoutes } from './practice/routes.ts';
export { practiceAnswers, practiceDeliveries } from './practice/training.ts';
export { readMeasurementRules } from './read-rules.ts';
export { activeMeasurement, formsFor, type ItemBanks, itemBanks, rulesDir, stampVersion } from './rules.ts';
export { estimateAbility, standardPrior } from './scoring/engine/eap.ts';
export { eligibleItems, selectNext } from './scoring/engine/select.ts';
export { type MeasurementDocument, measurementDocument, numbersOf } from './scoring/engine/values.ts';
export { engineRoutes } from './scoring/routes.ts';
export { seenItems } from './seen-items.ts';
export type { RequestServices, TrainingLadder, TrainingYear, WorkedSession } from './services.ts';
export type { Delivery, TrainingAnswer } from './training.ts';
export { trainingAnswers } from './warmup/queries.ts';
export { warmupRoutes } from './warmup/routes.ts';
