// What other capabilities may use of measurement.

export { measurementCapability } from './capability.ts';
export { finishDiagnostic } from './diagnostics/finish.ts';
export { scoreResponse } from './diagnostics/respond.ts';
export { servedItem } from './diagnostics/serve.ts';
export type { OpenSession } from './diagnostics/session.ts';
export { startDiagnostic } from './diagnostics/start.ts';
export { stateOf, storeSitting } from './diagnostics/store.ts';
export * from './engine/index.ts';
export { measureCodes } from './enums.ts';
export {
  cbmAlertClosed,
  cbmAlertOpened,
  cbmTrendChanged,
  diagnosticFinished,
  evidenceCorrected,
  orfScored,
  practiceCompleted,
} from './events.ts';
export { behaviourLayer } from './evidence/behaviour.ts';
export { BehaviourLog, behaviourLog } from './evidence/behaviour-log.ts';
export { accountsIn, probeVoidIn, sessionVoidIn, voidIn } from './evidence/corrections/in-statements.ts';
export { loadCorrections } from './evidence/corrections/load.ts';
export { momentOfCorrection } from './evidence/corrections/moment.ts';
export { correctedSince } from './evidence/corrections/since.ts';
export { present } from './evidence/engine/corrections.ts';
export type { SessionsOf, StudentSession } from './evidence/reader.ts';
export { type EvidenceServices, loadEvidence, underContextReview } from './evidence/store.ts';
export {
  diagnosticAnswers,
  practiceQueueAnswers,
  type SupportedAnswers,
  type SupportedAnswersReader,
} from './evidence/supported-answers.ts';
export {
  type ChosenOption,
  chosenOptions,
  newestAnswerOf,
  type SessionRef,
  transcriptOf,
} from './evidence/transcript.ts';
export type { StudentWindow } from './evidence/windows.ts';
export { newestProbes } from './fluency/queries.ts';
export { markWords, stopAssessment } from './fluency/reading.ts';
export { startReading } from './fluency/start.ts';
export { CbmTrend } from './fluency/store.ts';
export { correctSeries } from './fluency/trend/correct.ts';
export { type MonitoredSeries, newestSeries, newestTrend, openSignals } from './fluency/trend/newest-series.ts';
export { probeRolesOf } from './fluency/trend/probe-roles.ts';
export { isMeasuring } from './open-work.ts';
export { practiceAnswers, practiceDeliveries } from './practice/training.ts';
export { activeMeasurement, formsFor, stampVersion } from './rules.ts';
export { type SomeStudents, seenItems, studentBindings, studentIdArray } from './seen-items.ts';
export type { TrainingEscalation, TrainingYear } from './services.ts';
export { voidEvidence } from './voids/change.ts';
export { countVoids } from './voids/count.ts';
export { trainingAnswers } from './warmup/queries.ts';
