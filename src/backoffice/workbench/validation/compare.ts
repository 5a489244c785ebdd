// Compares texts with published versions, in the analysis worker.
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
import { type RowDifference, rowDifferences } from './engine/row-differences.ts';

export interface ComparedText {
  readonly before: RuleDocument;
  readonly text: string;
}

export interface TextDifference extends RuleDiff {
  readonly rows: readonly RowDifference[];
}

/** Throws CONFLICT `not_usable` for a text that cannot be read yet, and for one of another kind. */
export const compareTexts = (texts: readonly ComparedText[], validators: DocumentValidators): TextDifference[] =>
  texts.map(({ before, text }) => {
    if (!checkRuleText(text, validators).some(isError)) {
      const after = JSON.parse(text) as RuleDocument;
      if (isTable(after) === isTable(before)) {
        return { ...diffDocuments(before, after), rows: rowDifferences(before, after) };
      }
    }
    throw conflict('not_usable', 'The text has errors that keep it from being compared. Check it.', 'document');
  });
