// Checks that all texts of a report pass the language rules. Names of people, classes and schools are data.

import { ReportRefusal } from '#messaging/documents/index.ts';
import { checkText } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { reportWords } from './labels.ts';

/** Throws ReportRefusal for a refused sentence, ENGINE_UNAVAILABLE without language rules. */
export function requireSafeReport(rules: RuleBundle, sentences: readonly string[]): void {
  const unsafe = [...reportWords, ...sentences].find((sentence) => !checkText(rules, sentence, 'reports').safe);
  if (unsafe !== undefined) throw new ReportRefusal('language_unsafe', 'a sentence does not pass the language rules');
}
