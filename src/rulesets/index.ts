// What the other capabilities may use of rule sets.
export { BundleError, pinBundle, type RuleBundle } from './engine/bundle.ts';
export { compileTable, type Table } from './engine/compile.ts';
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
