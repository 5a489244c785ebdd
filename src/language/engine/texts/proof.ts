// The proof that is made before anybody approves: every text that would be served, with every value that its variables can
// take, before the filter of everybody who reads it.
import type { RuleBundle } from '../../../rulesets/index.ts';
import { filterOf, type LanguageFilter } from '../filter.ts';
import { setOf, type Tier } from '../rules.ts';
import { awkwardNames } from './awkward-names.ts';
import { safeFirstName } from './first-name.ts';
import { renderings, type ServedText, type TextSource } from './served-text.ts';

export interface UnsafeText {
  readonly id: string;
  readonly tier: Tier;
  readonly template: string;
  /** Of all renderings, in their order. None: there is no set for the tier, and nothing may be said. */
  readonly ruleIds: readonly string[];
}

/** Pure. Throws RangeError for a text with an unknown variable. */
export const unsafeTexts = (bundle: RuleBundle, sources: readonly TextSource[]): UnsafeText[] =>
  sources
    .flatMap((source) => source(bundle))
    .flatMap((text) => text.tiers.flatMap((tier) => unsafeFor(bundle, text, tier)));

function unsafeFor(bundle: RuleBundle, text: ServedText, tier: Tier): UnsafeText[] {
  const { id, template } = text;
  const filter = filterOf(bundle);
  const found = new Set<string>();
  for (const rendered of renderings(text, namesFor(tier, filter))) {
    const checked = filter.check(rendered, tier);
    if (!checked) return [{ id, tier, template, ruleIds: [] }];
    for (const { ruleId } of checked.violations) found.add(ruleId);
  }
  return found.size === 0 ? [] : [{ id, tier, template, ruleIds: [...found] }];
}

const names = new WeakMap<LanguageFilter, Map<Tier, readonly string[]>>();

/** As a reader of the tier would be shown them: a name that its rules catch never stands in a text. */
function namesFor(tier: Tier, filter: LanguageFilter): readonly string[] {
  const known = names.get(filter) ?? new Map<Tier, readonly string[]>();
  names.set(filter, known);
  const shown = known.get(tier) ?? shownNames(tier, filter);
  known.set(tier, shown);
  return shown;
}

function shownNames(tier: Tier, filter: LanguageFilter): readonly string[] {
  const audience = setOf(tier) === 'language/staff' ? 'staff' : 'family';
  const isSafe = (name: string) => filter.check(name, tier)?.safe === true;
  return [...new Set(awkwardNames.map((name) => safeFirstName(name, audience, isSafe)))];
}
