// Checks every sentence before it reaches a parent, a student or a page. All callers go through this function.
import { unavailable } from '#core/platform/errors.ts';
import type { RuleBundle } from '../rulesets/index.ts';
import { type CheckedText, filterOf } from './engine/filter.ts';
import type { Tier } from './engine/rules.ts';

/** Throws ENGINE_UNAVAILABLE when no set is in force for the tier, so that no unchecked text is shown. */
export function checkText(rules: RuleBundle, text: string, tier: Tier): CheckedText {
  const checked = filterOf(rules).check(text, tier);
  if (!checked) throw unavailable('No language rules are in force.');
  return checked;
}
