// What engines, of this service and of other capabilities, may use of rule sets: pure functions and their types.

export type { DocumentSchemas } from '../document-schemas.ts';
export type { ValueQuestion } from '../services.ts';
export type {
  ExemplarSlot,
  GroupMember,
  OutcomePair,
  Scale,
  Sides,
  SimulationCounts,
  SimulationTally,
} from '../simulators.ts';
export type { FactCategories } from './actionable.ts';
export { evidence, fixed, isActionable } from './actionable.ts';
export { analyseTable } from './analysis/analyse.ts';
export type { AnalysisFinding } from './analysis/coverage/findings.ts';
export { type ChangeLevel, diffDocuments, type RuleDiff } from './analysis/diff/diff.ts';
export { type Explanation, explain } from './analysis/explain/explain.ts';
export { flipDistance } from './analysis/explain/flip.ts';
export { type Layers, layersOf } from './analysis/layers.ts';
export { type MutationReport, mutationReport } from './analysis/mutation/mutation.ts';
export { pipelineFindings } from './analysis/pipeline/pipeline.ts';
export type { ValueContract } from './analysis/pipeline/value-contracts.ts';
export { cellCount, cellsOf, sampledCells } from './boundaries/cells.ts';
export { BundleError, oncePerBundle, overlaid, pinBundle, type RuleBundle } from './bundle.ts';
export { compileTable, type Observe, type Table } from './compile.ts';
export { collect, decide, NoDecisionError, traceUntil } from './decide.ts';
export { allHits, firstHit, type RuleAnswer } from './decider.ts';
export { leavesOf } from './document/conditions.ts';
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
} from './document/document.ts';
export { FactError } from './document/facts.ts';
export {
  errorFinding,
  type Finding,
  type FindingCode,
  findingCodes,
  isError,
  RuleDocumentError,
  warningFinding,
} from './document/findings.ts';
export {
  type AnyCase,
  answer,
  failedCases,
  type GoldenCase,
  isCaseList,
  isTableCase,
} from './golden.ts';
export { constantFault } from './reading/constant-ranges.ts';
export type { DocumentValidators } from './reading/document-validators.ts';
export { checkRuleText, parseRuleDocument, parseTable } from './reading/parse.ts';
export type { Schema } from './reading/schema-builders.ts';
export * as schemaBuilders from './reading/schema-builders.ts';
export { askReferenceEngine } from './reference-engine.ts';
export { replayQuestion, type TracedCall } from './traced-call.ts';
export type { TypedFacts } from './typed-facts.ts';
