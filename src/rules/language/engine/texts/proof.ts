// The text proof before an approval: every served text, with every value of its variables, is checked with the filter
// of all its readers.
import type { RuleBundle } from '../../../rulesets/engine/index.ts';
import { filterOf } from '../filter.ts';
import { setOfTier, type Tier } from '../rules.ts';
import { namelessWords } from './first-name.ts';
import { renderings, type ServedText, type TextSource } from './served-text.ts';

export interface UnsafeText {
  readonly id: string;
  readonly tier: Tier;
  readonly template: string;
  /** Rule ids over all renderings, in order. Empty when the tier has no set, so that no text may be shown. */
  readonly ruleIds: readonly string[];
}

/** Returns the unsafe texts. Pure. Throws RangeError for a text with an unknown variable. */
export const unsafeTexts = (bundle: RuleBundle, sources: readonly TextSource[]): UnsafeText[] =>
  sources
    .flatMap((source) => source(bundle))
    .flatMap((text) => text.tiers.flatMap((tier) => unsafeFor(bundle, text, tier)));

function unsafeFor(bundle: RuleBundle, text: ServedText, tier: Tier): UnsafeText[] {
  const { id, template } = text;
  const filter = filterOf(bundle);
  const found = new Set<string>();
  for (const rendered of renderings(text, namelessFor(tier))) {
    const checked = filter.check(rendered, tier);
    if (!checked) return [{ id, tier, template, ruleIds: [] }];
    for (const { ruleId } of checked.violations) found.add(ruleId);
  }
  return found.size === 0 ? [] : [{ id, tier, template, ruleIds: [...found] }];
}

/** Names are data: a text is checked with the substitute for a missing name. */
const namelessFor = (tier: Tier): string => namelessWords[setOfTier(tier) === 'language/staff' ? 'staff' : 'family'];
