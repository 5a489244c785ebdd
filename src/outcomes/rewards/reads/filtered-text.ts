// Passes texts of the rewards document through the language filter of the reader's tier.

import { unavailable } from '#core/platform/errors.ts';
import { checkText, type Tier } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';

export type FilterText = (text: string) => string;

/**
 * Throws ENGINE_UNAVAILABLE at once without language rules for the tier; the returned function throws it for a text
 * that is refused.
 */
export function textFilter(rules: RuleBundle, tier: Tier): FilterText {
  checkText(rules, '', tier);
  return (text) => {
    const { safe, rewritten } = checkText(rules, text, tier);
    if (safe) return text;
    if (rewritten === null) throw unavailable('A text may not be shown as language rules are now.');
    return rewritten;
  };
}
