// A draft beside a published version, on the thread's side.
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

/** Throws CONFLICT `not_usable` for a text that cannot be read yet, or is of another kind. */
export function compared(before: RuleDocument, text: string, shapes: DocumentValidators): RuleDiff {
  if (!checkRuleText(text, shapes).some(isError)) {
    const after = JSON.parse(text) as RuleDocument;
    if (isTable(after) === isTable(before)) return diffDocuments(before, after);
  }
  throw conflict('not_usable', 'The draft has errors that keep it from being compared. Validate it.', 'document');
}
