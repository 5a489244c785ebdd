// Words of the document of rewards as somebody reads them: past the filter of the reader's tier, or not at all.

import { unavailable } from '#core/platform/errors.ts';
import { checkText, type Tier } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';

export type Say = (text: string) => string;

/** Throws ENGINE_UNAVAILABLE at once without a set in force for the tier, and later for words that may not be said. */
export function sayer(rules: RuleBundle, tier: Tier): Say {
  checkText(rules, '', tier);
  return (text) => {
    const { safe, rewritten } = checkText(rules, text, tier);
    if (safe) return text;
    if (rewritten === null) throw unavailable('A text may not be shown as language rules are now.');
    return rewritten;
  };
}
