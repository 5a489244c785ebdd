// The facts that a school can change: more answers, other answers, another session. The nearest change uses these facts
// alone; a different result in another grade, or with another order of the catalogue, would not help.

/** `evidence`: derived from answers, items, sessions or given support. `fixed`: cannot be changed. */
type FactCategory = 'evidence' | 'fixed';

/** The categories of a capability's facts, by `family/key`. A fact that is not listed is never proposed. */
export type FactCategories = Readonly<Record<string, Readonly<Record<string, FactCategory>>>>;

export const evidence = (...facts: readonly string[]): Record<string, FactCategory> => sorted(facts, 'evidence');

export const fixed = (...facts: readonly string[]): Record<string, FactCategory> => sorted(facts, 'fixed');

const sorted = (facts: readonly string[], sort: FactCategory) =>
  Object.fromEntries(facts.map((fact) => [fact, sort] as const));

export const isActionable = (categories: FactCategories, document: string, fact: string): boolean =>
  categories[document]?.[fact] === 'evidence';
