// Validates a text before it may become a version. Pure, except for the asynchronous reference engine.
import { proofFindings, type StoredRows } from '#rules/language/engine/index.ts';
import {
  type AnyCase,
  analyseTable,
  type ChangeLevel,
  checkRuleText,
  compileTable,
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
  warningFinding,
} from '#rules/rulesets/engine/index.ts';
import { accompanied, type CandidateText } from '../../companions.ts';
import type { RuleUse } from '../rule-use.ts';
import { changedLiterals } from './changed-literals.ts';
import { type DraftFinding, withProposals } from './proposals.ts';
import { readerFindings } from './readers.ts';
import { type ReferenceEffort, referenceEngineFindings } from './reference-check.ts';

export interface ValidationInput {
  /** JSON text of the draft. */
  readonly text: string;
  /** The cases that it has to pass, including inherited ones. */
  readonly cases: readonly AnyCase[];
  /** The newest published version; null for the first version of a new document. */
  readonly base: RuleDocument | null;
  /** The documents in force. */
  readonly active: readonly RuleDocument[];
  /** Texts that may replace documents that hold another value of a constant. */
  readonly candidates: readonly CandidateText[];
  /** Texts from the database. */
  readonly stored: StoredRows;
  readonly effort: ReferenceEffort;
}

export interface DocumentValidation {
  /** Sorted with errors first. */
  readonly findings: readonly DraftFinding[];
  /** From 0 to 1; null for documents without rules, and for texts that cannot be read. */
  readonly mutationScore: number | null;
  /** Null for a text that cannot be read. */
  readonly level: ChangeLevel | null;
}

export async function validate(question: ValidationInput, use: RuleUse): Promise<DocumentValidation> {
  const early = checkRuleText(question.text, use.validators);
  if (early.some(isError)) return { findings: early.filter(isError), mutationScore: null, level: null };
  const document = JSON.parse(question.text) as RuleDocument;
  const { base } = question;
  if (base && isTable(base) !== isTable(document)) {
    return { findings: [errorFinding('SCHEMA', 'other_kind', {})], mutationScore: null, level: null };
  }
  const own = isTable(document) ? await tableValidation(document, question) : valueValidation(document, question, use);
  const together = own.findings.some(isError) && !isTable(document) ? [] : togetherFindings(document, question, use);
  const level = base ? diffDocuments(base, document).level : 'major';
  return { findings: errorsFirst([...own.findings, ...together]), mutationScore: own.mutationScore, level };
}

async function tableValidation(document: TableDocument, { cases, base, effort }: ValidationInput) {
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
function valueValidation(document: ValueDocument, { cases }: ValidationInput, { valueChecks }: RuleUse) {
  const findings = valueChecks.get(document.meta.family)?.({ document, cases }) ?? cases.map(unasked);
  return { findings, mutationScore: null };
}

const unasked = ({ name }: AnyCase): Finding => errorFinding('CASE_FAILED', 'values_have_none', { case: name });

const scoreOf = ({ score }: MutationReport): number => Math.round(score * 10_000) / 10_000;

/** Leaves out the warning about a number that is an error already. */
const isRefused = (finding: Finding, refused: readonly Finding[]): boolean =>
  finding.code === 'MAGIC_NUMBER' && refused.some(({ ruleIds }) => ruleIds[0] === finding.ruleIds[0]);

/** Returns findings about the documents around the draft. */
function togetherFindings(
  document: RuleDocument,
  { active, candidates, stored }: ValidationInput,
  { validators, valueContracts, readers, texts, documentChecks }: RuleUse,
): readonly Finding[] {
  const name = documentName(document);
  const others = accompanied(document, active, candidates, validators);
  const around = others.filter((one) => documentName(one) !== name);
  const tables = [...around, document].filter(isTable);
  const open = pipelineFindings(tables, valueContracts);
  const apart = disagreements(document, around);
  if (open.length > 0 || apart.length > 0) return [...open, ...apart];
  const after = overlaid(pinBundle(around), [document]);
  const unread = readerFindings(after, readers);
  if (unread.length > 0) return unread;
  return [
    ...proofFindings({ draft: document, before: pinBundle(active), after, sources: texts(stored) }),
    ...documentChecks.flatMap((check) => check(document, after)),
  ];
}

/** Returns warnings for constants that other documents hold with another value, since several drafts can be activated together. */
function disagreements(document: RuleDocument, around: readonly RuleDocument[]): readonly Finding[] {
  return Object.entries(document.constants ?? {}).flatMap(([id, { value }]) => {
    const apart = around.filter((one) => (one.constants?.[id]?.value ?? value) !== value).map(documentName);
    if (apart.length === 0) return [];
    return [warningFinding('PIPELINE_OPEN', 'constant_differs', { constant: id, value, documents: apart })];
  });
}

const errorsFirst = (findings: readonly DraftFinding[]): readonly DraftFinding[] => [
  ...findings.filter(isError),
  ...findings.filter((one) => !isError(one)),
];
