// The compiled language sets of a bundle. A tier without a set lets no text pass.
import { documentId, oncePerBundle, type RuleBundle } from '../../rulesets/engine/index.ts';
import { checks } from './check-set.ts';
import type { Checked } from './matcher.ts';
import { type LanguageRule, type SetName, setOfTier, type Tier } from './rules.ts';

export interface CheckedText extends Checked {
  /** `language/family@3` */
  readonly ruleVersion: string;
}

export interface LanguageFilter {
  /** Returns undefined when the tier has no set; the caller must then refuse to render. */
  check(text: string, tier: Tier): CheckedText | undefined;
}

export const filterOf = oncePerBundle((bundle): LanguageFilter => {
  const sets = new Map<SetName, ReturnType<typeof compiledSet>>();
  return {
    check(text, tier) {
      const name = setOfTier(tier);
      if (bundle.versions[name] === undefined) return undefined;
      const set = sets.get(name) ?? compiledSet(bundle, name);
      sets.set(name, set);
      return { ...set.check(text, tier), ruleVersion: set.ruleVersion };
    },
  };
});

function compiledSet(bundle: RuleBundle, name: SetName) {
  const document = bundle.values<Parameters<typeof documentId>[0] & { entries: readonly LanguageRule[] }>(name);
  return { check: checks(document.entries), ruleVersion: documentId(document) };
}
