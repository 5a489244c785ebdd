// What the other capabilities may use of rule sets.
export { type Analysis, analyseTable } from './engine/analysis/analyse.ts';
export type { BoxView } from './engine/analysis/box-view.ts';
export type { ChangedRegion } from './engine/analysis/changed-regions.ts';
export { diffDocuments, type RuleDiff } from './engine/analysis/diff.ts';
export { type Explanation, explain } from './engine/analysis/explain.ts';
export type { AnalysisFinding } from './engine/analysis/findings.ts';
export type { FlipDistance } from './engine/analysis/flip.ts';
export { type Layers, layersOf } from './engine/analysis/layers.ts';
export { type MutationReport, mutationReport } from './engine/analysis/mutation.ts';
export { pipelineFindings } from './engine/analysis/pipeline.ts';
export { skillStatusWires, type Wire } from './engine/analysis/wiring.ts';
export { BundleError, overlaid, pinBundle, type RuleBundle } from './engine/bundle.ts';
export { compileTable, type Observe, type Table } from './engine/compile.ts';
export { collect, decide, NoDecisionError } from './engine/decide.ts';
export {
  type Constant,
  type Decision,
  type DocumentName,
  documentId,
  documentName,
  type Facts,
  type FactValue,
  isTable,
  type RuleDocument,
  type TableDocument,
  type ValueDocument,
} from './engine/document.ts';
export { FactError } from './engine/facts.ts';
export { type Finding, RuleDocumentError } from './engine/findings.ts';
export { parseRuleDocument, parseTable } from './engine/parse.ts';
export { type LoadedRule, loadNewestBundle, loadRules } from './files.ts';
