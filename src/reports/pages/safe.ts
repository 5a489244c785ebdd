// Whether everything that a report says passes the language rules; names of people, classes and schools are data.
import { checkText } from '../../language/index.ts';
import { ReportRefusal } from '../../report-jobs/index.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
import { reportWords } from './labels.ts';

/** Throws ReportRefusal for a sentence that does not, ENGINE_UNAVAILABLE without language rules. */
export function requireSafe(rules: RuleBundle, sentences: readonly string[]): void {
  const unsafe = [...reportWords, ...sentences].find((sentence) => !checkText(rules, sentence, 'reports').safe);
  if (unsafe !== undefined) throw new ReportRefusal('language_unsafe', 'a sentence does not pass the language rules');
}
