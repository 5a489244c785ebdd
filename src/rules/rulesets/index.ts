// What the other capabilities may use of rule sets.

export {
  activationAt,
  appendActivation,
  clockCorrected,
  isOvertaken,
  type LockedTimeline,
  lockActivations,
  type NewActivation,
  StoredBundle,
  type Versions,
} from './activations.ts';
export { type ActiveBundle, type ActiveRules, activeRules, storedRules } from './active.ts';
export { documentValidators } from './document-schemas.ts';
export * from './engine/index.ts';
export { activateReasons, activationKinds, changeLevels, type RollbackReason, rollbackReasons } from './enums.ts';
export {
  ConstantsView,
  DecisionView,
  explainedFrame,
  FlipDistanceView,
  listOf,
  NearestChangeView,
  QuestionKey,
  QuestionView,
  RuleId,
  SentenceView,
  TraceView,
} from './explained/decision-schemas.ts';
export { decisionOf, newQuestions, type Questions } from './explained/decisions.ts';
export { nearestChange } from './explained/nearest.ts';
export { type LoadedRule, loadNewestBundle, loadRules } from './files.ts';
export { findingView } from './finding-schemas.ts';
export { installRules } from './install.ts';
export { perBundle, requireDocuments } from './per-bundle.ts';
export { type ImportOrigin, RuleVersion } from './rows.ts';
export type { DocumentCheck, Explainer, ValueCheck, ValueTrial } from './services.ts';
export {
  type ExplainedSlot,
  flagPairs,
  notRaised,
  type RecordSimulation,
  type RecordSimulator,
  type ResultComparison,
  type ResultSimulation,
  type ResultSimulator,
  type SimulatedBundles,
  type SimulatedRecords,
  type SimulatedResult,
  type SimulatedStudents,
  type Simulator,
  simulatedDays,
  simulatorsOf,
} from './simulators.ts';
export { ruleStamp } from './stamp.ts';
