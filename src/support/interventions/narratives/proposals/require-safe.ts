// Checks every text of a narrative, with every value of its variables, by the filter of its readers. Runs without a
// transaction, and yields to other work between two texts.
import { setImmediate } from 'node:timers/promises';
import { AppError, type ErrorDetail, unavailable } from '#core/platform/errors.ts';
import { unsafeTexts } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { type Narrative, narrativeTextsOf } from '../engine/narrative.ts';
import { servedText } from '../engine/served.ts';

/** Throws ENGINE_UNAVAILABLE without a set in force, VALIDATION_ERROR `language_unsafe` for each text that does not pass. */
export async function requireSafeNarrative(rules: RuleBundle, narrative: Narrative): Promise<void> {
  const details: ErrorDetail[] = [];
  for (const text of narrativeTextsOf(narrative)) {
    const [unsafe] = unsafeTexts(rules, [(bundle) => [servedText(narrative, text, bundle)]]);
    if (unsafe?.ruleIds.length === 0) throw unavailable('No language rules are in force.');
    if (unsafe) details.push({ field: text.field, issue: 'language_unsafe' });
    await setImmediate();
  }
  if (details.length === 0) return;
  throw new AppError('VALIDATION_ERROR', 'A text does not pass the language rules for its readers; see details.', {
    details,
  });
}
