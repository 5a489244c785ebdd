// The sets that a bundle holds, ready to check with. A tier whose set is not there lets nothing pass.
import { documentId, oncePerBundle, type RuleBundle } from '../../rulesets/engine/index.ts';
import { checks } from './check-set.ts';
import type { Checked } from './matcher.ts';
import { type LanguageRule, type SetName, setOf, type Tier } from './rules.ts';

export interface CheckedText extends Checked {
  /** `language/family@3` */
  readonly ruleVersion: string;
}

export interface LanguageFilter {
  /** Undefined without a set for the tier: whoever renders has to refuse. */
  check(text: string, tier: Tier): CheckedText | undefined;
}

export const filterOf = oncePerBundle((bundle): LanguageFilter => {
  const sets = new Map<SetName, ReturnType<typeof compiledSet>>();
  return {
    check(text, tier) {
      const name = setOf(tier);
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
