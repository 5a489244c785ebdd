// The dictionary in force: which codes there are, which can never be set, and what each does.

import type { ContextFlags, FlagEffect } from '#rules/language/index.ts';
import { perBundle, type RuleBundle } from '#rules/rulesets/index.ts';

const name = 'language/context-flags';

export interface Dictionary {
  readonly knows: (code: string) => boolean;
  readonly blocks: (code: string) => boolean;
  /** A code that the dictionary does not hold any more has none. */
  readonly effectOf: (code: string) => FlagEffect;
  /** Codes with the effect `review`. */
  readonly reviewCodes: readonly string[];
  /** `language/context-flags@1` */
  readonly ruleVersion: string;
}

/** Throws ENGINE_UNAVAILABLE when the bundle has no dictionary. */
export const dictionaryIn = perBundle(compileDictionary, 'The dictionary of context flags is missing.');

function compileDictionary(rules: RuleBundle): Dictionary {
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
