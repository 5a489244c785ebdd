// The one choke point: a sentence passes here before it reaches a parent, a student or a page.
import { unavailable } from '#core/platform/errors.ts';
import type { RuleBundle } from '../rulesets/index.ts';
import { type CheckedText, filterOf } from './engine/filter.ts';
import type { Tier } from './engine/rules.ts';

/** Throws ENGINE_UNAVAILABLE without a set in force for the tier: nothing is said rather than something unchecked. */
export function checkText(rules: RuleBundle, text: string, tier: Tier): CheckedText {
  const checked = filterOf(rules).check(text, tier);
  if (!checked) throw unavailable('No language rules are in force.');
  return checked;
}
