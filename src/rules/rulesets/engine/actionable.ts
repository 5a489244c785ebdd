// What a school can act on: more answers, other answers, another session. The nearest change is told in these facts alone;
// that a child would be judged otherwise in another grade, or by another sub-skill's place in the catalogue, helps nobody.

/** `evidence`: follows from answers, items and sessions, or from support that was given. `fixed`: nobody can change it. */
type Sort = 'evidence' | 'fixed';

/** Every fact of a capability's tables, by `family/key`; one that is not listed is not proposed. */
export type FactCategories = Readonly<Record<string, Readonly<Record<string, Sort>>>>;

export const evidence = (...facts: readonly string[]): Record<string, Sort> => sorted(facts, 'evidence');

export const fixed = (...facts: readonly string[]): Record<string, Sort> => sorted(facts, 'fixed');

const sorted = (facts: readonly string[], sort: Sort) => Object.fromEntries(facts.map((fact) => [fact, sort] as const));

export const isActionable = (sorts: FactCategories, document: string, fact: string): boolean =>
  sorts[document]?.[fact] === 'evidence';
