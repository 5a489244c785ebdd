// The dictionary of flag codes in force: the allowed codes, the blocked codes and the effect of each.

import type { ContextFlags, FlagEffect } from '#rules/language/index.ts';
import { perBundle, type RuleBundle } from '#rules/rulesets/index.ts';

const name = 'language/context-flags';

export interface FlagDictionary {
  readonly knows: (code: string) => boolean;
  readonly blocks: (code: string) => boolean;
  /** Returns `none` for a code that is no longer in the dictionary. */
  readonly effectOf: (code: string) => FlagEffect;
  /** Codes with the effect `review`. */
  readonly reviewCodes: readonly string[];
  /** `language/context-flags@1` */
  readonly ruleVersion: string;
}

/** Returns the compiled dictionary of a bundle. Throws ENGINE_UNAVAILABLE when the bundle has none. */
export const dictionaryIn = perBundle(compileDictionary, 'The dictionary of context flags is missing.');

function compileDictionary(rules: RuleBundle): FlagDictionary {
  const { flags, blocked } = rules.values<ContextFlags>(name);
  const effects = new Map(flags.map(({ code, effect }) => [code, effect]));
  return {
    knows: (code) => effects.has(code),
    blocks: (code) => blocked.includes(code),
    effectOf: (code) => effects.get(code) ?? 'none',
    reviewCodes: flags.flatMap(({ code, effect }) => (effect === 'review' ? [code] : [])),
    ruleVersion: `${name}@${rules.versions[name]}`,
  };
}
