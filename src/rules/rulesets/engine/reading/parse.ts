// Parses a text into a valid rule document, or collects every reason why it is invalid.

import { duplicateKeys } from '#core/platform/parsing/duplicate-keys.ts';
import { isTable, type RuleDocument, type TableDocument } from '../document/document.ts';
import { isTooFine } from '../document/facts.ts';
import { errorFinding, type Finding, isError, RuleDocumentError } from '../document/findings.ts';
import { type ConstantFault, constantFault } from './constant-ranges.ts';
import type { DocumentValidators } from './document-validators.ts';
import { tableShapeFindings, valueShapeFindings } from './schema.ts';
import { tableErrors, tableWarnings } from './table-checks.ts';

/**
 * Returns the document of a text. Throws RuleDocumentError with all error findings; `subject` names the text in the
 * message.
 */
export function parseRuleDocument(
  text: string,
  validators: DocumentValidators,
  subject = 'rule document',
): RuleDocument {
  const findings = checkRuleText(text, validators).filter(isError);
  if (findings.length > 0) throw new RuleDocumentError(subject, findings);
  return JSON.parse(text) as RuleDocument;
}

/** Returns the decision table of a text. Throws as `parseRuleDocument` does, also for a value document. */
export function parseTable(text: string, validators: DocumentValidators, subject = 'decision table'): TableDocument {
  const document = parseRuleDocument(text, validators, subject);
  if (!isTable(document)) throw new RuleDocumentError(subject, [errorFinding('SCHEMA', 'no_rules', {})]);
  return document;
}

/**
 * Returns all findings of a text, including warnings; never throws. Later checks run only when earlier ones found
 * nothing.
 */
export function checkRuleText(text: string, validators: DocumentValidators): Finding[] {
  const parsed = readJson(text);
  if ('finding' in parsed) return [parsed.finding];
  const doubles = duplicateKeys(text).map((key) => errorFinding('DUPLICATE_KEY', 'key_twice', { key }));
  const numbers = nonFinite(parsed.value, '').map((path) => errorFinding('SCHEMA', 'not_finite', { path }));
  const early = [...doubles, ...numbers];
  if (!isTableLike(parsed.value)) return [...early, ...valueFindings(parsed.value, validators)];
  early.push(...tableShapeFindings(parsed.value));
  if (early.length > 0) return early;
  const table = parsed.value as TableDocument;
  const errors = [...constantFindings(table, validators), ...tableErrors(table)];
  return errors.length > 0 ? errors : tableWarnings(table);
}

function valueFindings(value: unknown, validators: DocumentValidators): Finding[] {
  const findings = valueShapeFindings(value, validators);
  return findings.some(isError) ? findings : [...findings, ...constantFindings(value as RuleDocument, validators)];
}

const constantFindings = ({ constants = {} }: RuleDocument, validators: DocumentValidators): Finding[] =>
  Object.entries(constants).flatMap(([id, { value }]) => {
    const fault = constantFault(validators.constants.get(id), value);
    if (fault) return [faultFinding(id, fault)];
    return isTooFine(value) ? [errorFinding('FACT', 'constant_too_fine', { constant: id })] : [];
  });

const faultFinding = (constant: string, fault: ConstantFault): Finding =>
  fault.issue === 'constant_out_of_range'
    ? errorFinding('SCHEMA', fault.issue, { constant, min: fault.min, max: fault.max })
    : errorFinding('SCHEMA', fault.issue, { constant });

function readJson(text: string): { readonly value: unknown } | { readonly finding: Finding } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { finding: errorFinding('SCHEMA', 'not_json', { problem }) };
  }
}

/** JSON.parse reads 1e999 as Infinity. */
function nonFinite(value: unknown, at: string): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => nonFinite(member, `${at}/${key}`));
}

const isTableLike = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const hasPolicy =
    'meta' in value && typeof value.meta === 'object' && value.meta !== null && 'hitPolicy' in value.meta;
  return 'rules' in value || hasPolicy;
};
