// Compares a draft with a published version, in the analysis worker.
import { conflict } from '#core/platform/errors.ts';
import {
  checkRuleText,
  type DocumentValidators,
  diffDocuments,
  isError,
  isTable,
  type RuleDiff,
  type RuleDocument,
} from '#rules/rulesets/index.ts';

/** Throws CONFLICT `not_usable` for a text that cannot be read yet, and for one of another kind. */
export function compareDraft(before: RuleDocument, text: string, validators: DocumentValidators): RuleDiff {
  if (!checkRuleText(text, validators).some(isError)) {
    const after = JSON.parse(text) as RuleDocument;
    if (isTable(after) === isTable(before)) return diffDocuments(before, after);
  }
  throw conflict('not_usable', 'The draft has errors that keep it from being compared. Validate it.', 'document');
}
