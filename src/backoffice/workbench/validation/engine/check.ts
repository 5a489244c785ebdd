// Checks texts before they may become versions: each by itself, and all together in the place of the documents in force. Pure,
// except for the asynchronous reference engine.
import { proofFindings, type StoredRows } from '#rules/language/engine/index.ts';
import {
  type AnyCase,
  analyseTable,
  type ChangeLevel,
  checkRuleText,
  compileTable,
  type DocumentName,
  diffDocuments,
  documentName,
  errorFinding,
  type Finding,
  isError,
  isTable,
  type MutationReport,
  overlaid,
  pinBundle,
  pipelineFindings,
  type RuleDocument,
  type TableDocument,
  type ValueDocument,
} from '#rules/rulesets/engine/index.ts';
import type { RuleUse } from '../rule-use.ts';
import { changedLiterals } from './changed-literals.ts';
import { splitConstants } from './constant-splits.ts';
import { type TextFinding, withProposals } from './proposals.ts';
import { readerFindings } from './readers.ts';
import { type ReferenceEffort, referenceEngineFindings } from './reference-check.ts';

export interface CheckedRuleText {
  readonly name: DocumentName;
  /** JSON text. */
  readonly text: string;
  /** The cases that it has to pass, including inherited ones. */
  readonly cases: readonly AnyCase[];
  /** The version that it started from; null for the first version of a new document. */
  readonly base: RuleDocument | null;
}

export interface CheckInput {
  readonly texts: readonly CheckedRuleText[];
  /** The documents in force. */
  readonly active: readonly RuleDocument[];
  /** Texts from the database. */
  readonly stored: StoredRows;
  readonly effort: ReferenceEffort;
}

export interface TextCheck {
  readonly name: DocumentName;
  /** Sorted with errors first. */
  readonly findings: readonly TextFinding[];
  /** From 0 to 1; null for documents without rules, and for texts that cannot be read. */
  readonly mutationScore: number | null;
  /** Null for a text that cannot be read. */
  readonly level: ChangeLevel | null;
}

/** Returns one result for each text, in their order. What concerns several texts is found about one of them. */
export async function checkTexts(question: CheckInput, use: RuleUse): Promise<TextCheck[]> {
  const own: OwnCheck[] = [];
  for (const text of question.texts) own.push(await checkAlone(text, question.effort, use));
  const documents = own.flatMap(({ document }) => document ?? []);
  const isWhole = own.every(({ document, findings }) => document && (isTable(document) || !findings.some(isError)));
  const together = isWhole ? togetherFindings(documents, question, use) : new Map<DocumentName, Finding[]>();
  return own.map(({ document: _document, findings, ...rest }) => ({
    ...rest,
    findings: errorsFirst([...findings, ...(together.get(rest.name) ?? [])]),
  }));
}

interface OwnCheck extends TextCheck {
  /** Undefined for a text that cannot be read. */
  readonly document?: RuleDocument;
}

async function checkAlone(question: CheckedRuleText, effort: ReferenceEffort, use: RuleUse): Promise<OwnCheck> {
  const { name, text, base } = question;
  const early = checkRuleText(text, use.validators);
  if (early.some(isError)) return { name, findings: early.filter(isError), mutationScore: null, level: null };
  const document = JSON.parse(text) as RuleDocument;
  if (base && isTable(base) !== isTable(document)) {
    return { name, findings: [errorFinding('SCHEMA', 'other_kind', {})], mutationScore: null, level: null };
  }
  const own = isTable(document) ? await tableCheck(document, question, effort) : valueCheck(document, question, use);
  return { name, document, ...own, level: base ? diffDocuments(base, document).level : 'major' };
}

async function tableCheck(document: TableDocument, { cases, base }: CheckedRuleText, effort: ReferenceEffort) {
  const table = compileTable(document);
  const { findings, mutation } = analyseTable(table, cases);
  const oldTable = base && isTable(base) ? base : null;
  const refused = changedLiterals(oldTable, document);
  const gapless = !findings.some(({ code }) => code === 'GAP');
  const opinions = gapless ? await referenceEngineFindings(table, effort) : [];
  const all = [...refused, ...findings.filter((one) => !isRefused(one, refused)), ...opinions];
  return { findings: withProposals(all, table, cases, mutation), mutationScore: scoreOf(mutation) };
}

/** Runs the family's own checks of a document of values. A document without such checks has no cases. */
function valueCheck(document: ValueDocument, { cases }: CheckedRuleText, { valueChecks }: RuleUse) {
  const findings = valueChecks.get(document.meta.family)?.({ document, cases }) ?? cases.map(unasked);
  return { findings, mutationScore: null };
}

const unasked = ({ name }: AnyCase): Finding => errorFinding('CASE_FAILED', 'values_have_none', { case: name });

const scoreOf = ({ score }: MutationReport): number => Math.round(score * 10_000) / 10_000;

/** Leaves out the warning about a number that is an error already. */
const isRefused = (finding: Finding, refused: readonly Finding[]): boolean =>
  finding.code === 'MAGIC_NUMBER' && refused.some(({ ruleIds }) => ruleIds[0] === finding.ruleIds[0]);

type ByDocument = Map<DocumentName, Finding[]>;

/** Returns findings about the texts in the place of the documents in force. */
function togetherFindings(
  documents: readonly RuleDocument[],
  { active, stored }: CheckInput,
  { valueContracts, readers, texts, documentChecks }: RuleUse,
): ByDocument {
  const replaced = new Set(documents.map(documentName));
  const around = active.filter((one) => !replaced.has(documentName(one)));
  const split = splitConstants(documents, around);
  const tables = [...around, ...documents].filter(isTable);
  const open = placed(documents, pipelineFindings(tables, valueContracts));
  if (split.size > 0 || open.size > 0) return merged(split, open);
  const after = overlaid(pinBundle(around), documents);
  const unread = readerFindings(after, readers);
  if (unread.length > 0) return placed(documents, unread);
  const proven = placed(
    documents,
    proofFindings({ drafts: documents, before: pinBundle(active), after, sources: texts(stored) }),
  );
  for (const document of documents) {
    for (const check of documentChecks) {
      for (const finding of check(document, after)) add(proven, documentName(document), finding);
    }
  }
  return proven;
}

/** Puts each finding with the text that holds its first rule, else with the one that its message names, else with the first. */
function placed(documents: readonly RuleDocument[], findings: readonly Finding[]): ByDocument {
  const byDocument: ByDocument = new Map();
  for (const finding of findings) {
    const holder =
      documents.find((one) => holds(one, finding.ruleIds[0])) ??
      documents.find((one) => finding.message.includes(documentName(one))) ??
      documents[0];
    if (holder) add(byDocument, documentName(holder), finding);
  }
  return byDocument;
}

const holds = (document: RuleDocument, ruleId: string | undefined): boolean =>
  isTable(document) && document.rules.some(({ name }) => name === ruleId);

function add(byDocument: ByDocument, name: DocumentName, finding: Finding): void {
  byDocument.set(name, [...(byDocument.get(name) ?? []), finding]);
}

function merged(one: ByDocument, other: ByDocument): ByDocument {
  const both: ByDocument = new Map(one);
  for (const [name, findings] of other) for (const finding of findings) add(both, name, finding);
  return both;
}

const errorsFirst = (findings: readonly TextFinding[]): readonly TextFinding[] => [
  ...findings.filter(isError),
  ...findings.filter((one) => !isError(one)),
];
