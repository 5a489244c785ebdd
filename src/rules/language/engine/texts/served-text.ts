// A text that somebody reads, as a value: who reads it, and what its variables can be.
import type { RuleBundle } from '../../../rulesets/engine/index.ts';
import type { Tier } from '../rules.ts';

export interface ServedText {
  /** Stays the same while the text changes: `catalogue/subskills/LK_SOUND`. */
  readonly id: string;
  /** All who may read it; the strictest of each set is enough. */
  readonly tiers: readonly Tier[];
  /** Variables stand as `{{firstNameAr}}`. */
  readonly template: string;
  /** Every value that each variable can take. `person`: a name, which is data and never filtered. */
  readonly variables?: Readonly<Record<string, readonly string[] | 'person'>>;
}

/** The texts that a capability takes out of a bundle, and those that stand in its code. Pure. */
export type TextSource = (bundle: RuleBundle) => readonly ServedText[];

const variable = /\{\{([A-Za-z][A-Za-z0-9]*)\}\}/g;

/** The text with each combination of values, and `nameless` for people. Throws RangeError for a variable without values. */
export function* renderings({ id, template, variables = {} }: ServedText, nameless: string): Generator<string> {
  const names = [...new Set([...template.matchAll(variable)].map(([, name = '']) => name))];
  const values = names.map((name) => {
    const known = variables[name];
    if (known === undefined) throw new RangeError(`${id} holds the variable ${name}, whose values are not known`);
    return known === 'person' ? [nameless] : known;
  });
  for (const chosen of combinations(values)) {
    yield template.replace(variable, (_, name: string) => chosen[names.indexOf(name)] ?? '');
  }
}

function* combinations(values: readonly (readonly string[])[]): Generator<readonly string[]> {
  const [first, ...others] = values;
  if (!first) {
    yield [];
    return;
  }
  for (const value of first) for (const rest of combinations(others)) yield [value, ...rest];
}
