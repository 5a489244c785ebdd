// A served text as a value: its readers and the possible values of its variables.
import type { RuleBundle } from '../../../rulesets/engine/index.ts';
import type { Tier } from '../rules.ts';

export interface ServedText {
  /** Stable while the text changes: `catalogue/subskills/LK_SOUND`. */
  readonly id: string;
  /** All tiers that may read it; the strictest tier of each set is enough. */
  readonly tiers: readonly Tier[];
  /** Variables are written `{{firstNameAr}}`. */
  readonly template: string;
  /** All values of each variable. `person`: a name, which is data and is not filtered. */
  readonly variables?: Readonly<Record<string, readonly string[] | 'person'>>;
}

/** Returns the texts that a capability reads from a bundle or defines in code. Pure. */
export type TextSource = (bundle: RuleBundle) => readonly ServedText[];

const variable = /\{\{([A-Za-z][A-Za-z0-9]*)\}\}/g;

/**
 * Yields the text with each combination of values, and `nameless` for persons. Throws RangeError for a variable without
 * values.
 */
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
