// What the other capabilities may use of rule sets.
export {
  activationAt,
  appendActivation,
  type LockedTimeline,
  lockActivations,
  type NewActivation,
  type Versions,
} from './activations.ts';
export { type ActiveBundle, type ActiveRules, activeRules, storedRules } from './active.ts';
export { analyseTable } from './engine/analysis/analyse.ts';
export type { AnalysisFinding } from './engine/analysis/coverage/findings.ts';
export { type ChangeLevel, diffDocuments, type RuleDiff } from './engine/analysis/diff/diff.ts';
export { type Explanation, explain } from './engine/analysis/explain/explain.ts';
export { flipDistance } from './engine/analysis/explain/flip.ts';
export { type Layers, layersOf } from './engine/analysis/layers.ts';
export { type MutationReport, mutationReport } from './engine/analysis/mutation/mutation.ts';
export { pipelineFindings } from './engine/analysis/pipeline/pipeline.ts';
export type { Wire } from './engine/analysis/pipeline/wiring.ts';
export { cellCount, cellsOf, sampledCells } from './engine/boundaries/cells.ts';
export { BundleError, overlaid, pinBundle, type RuleBundle } from './engine/bundle.ts';
export { compileTable, type Observe, type Table } from './engine/compile.ts';
export { collect, decide, NoDecisionError, traceUntil } from './engine/decide.ts';
export { allHits, firstHit, type RuleAnswer } from './engine/decider.ts';
export { leavesOf } from './engine/document/conditions.ts';
export {
  type Condition,
  type Constant,
  type Decision,
  type DocumentMeta,
  type DocumentName,
  documentId,
  documentName,
  type Facts,
  type FactValue,
  isTable,
  type Leaf,
  type LocalText,
  operatorNames,
  type Rule,
  type RuleDocument,
  type TableDocument,
  type TraceStep,
  type ValueDocument,
} from './engine/document/document.ts';
export { FactError } from './engine/document/facts.ts';
export {
  errorFinding,
  type Finding,
  findingCodes,
  isError,
  RuleDocumentError,
  warningFinding,
} from './engine/document/findings.ts';
export {
  type AnyCase,
  answer,
  failedCases,
  type GoldenCase,
  isCaseList,
  isTableCase,
} from './engine/golden.ts';
export { checkRuleText, parseRuleDocument, parseTable } from './engine/reading/parse.ts';
export type { Schema } from './engine/reading/schema-words.ts';
export * as documentWords from './engine/reading/schema-words.ts';
export type { ReadingShapes } from './engine/reading/shapes.ts';
export { askReferenceEngine } from './engine/reference-engine.ts';
export { askAgain, type TracedCall } from './engine/traced-call.ts';
export type { TypedFacts } from './engine/typed-facts.ts';
export { evidence, type FactSorts, fixed, isActionable } from './explained/actionable.ts';
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
  TraceView,
} from './explained/decision-schemas.ts';
export { decisionOf, newQuestions, type Questions } from './explained/decisions.ts';
export { nearestChange } from './explained/nearest.ts';
export { type LoadedRule, loadNewestBundle, loadRules } from './files.ts';
export { installRules } from './install.ts';
export type { Explainer, ValueCheck, ValueQuestion, ValueTrial } from './services.ts';
export { type RuleShapes, shapesOf } from './shapes.ts';
export { ruleStamp } from './stamp.ts';
export { activateReasons, activationKinds, changeLevels, type RollbackReason, rollbackReasons } from './words.ts';
