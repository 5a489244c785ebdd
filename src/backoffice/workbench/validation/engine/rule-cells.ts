// A rule as the row of a table: one cell for each fact of its conditions where they are a plain list, and one for all else.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { Condition, Rule } from '#rules/rulesets/engine/index.ts';
import { leavesOf } from '#rules/rulesets/engine/index.ts';

/** The cell with the answer of a rule, its reason and, where they are no plain list of comparisons, its conditions. */
export const outcomeCell = 'outcome';

/** The names of cells are facts and `outcome`; the contents are JSON. */
export function cellsOfRule({ priority: _priority, conditions, ...rest }: Rule): ReadonlyMap<string, unknown> {
  const { all } = conditions as { readonly all?: readonly Condition[] };
  const facts = all?.map(factOf);
  if (!all || facts?.includes(undefined)) return new Map([[outcomeCell, { ...rest, conditions }]]);
  const cells = new Map<string, unknown>([[outcomeCell, rest]]);
  for (const fact of new Set(facts as string[])) {
    cells.set(fact, all.filter((one) => factOf(one) === fact).map(plain));
  }
  return cells;
}

/** The one fact of a condition; undefined where it speaks of several, which make up no cell. */
function factOf(condition: Condition): string | undefined {
  const facts = new Set(leavesOf(condition).map(({ fact }) => fact));
  const [fact] = facts;
  return facts.size === 1 && fact !== outcomeCell ? fact : undefined;
}

const plain = (condition: Condition): unknown => JSON.parse(canonicalJson(condition));

/** Makes a rule of its cells, the facts in the order of `order`, those that it does not name at the end. */
export function ruleOfCells(cells: ReadonlyMap<string, unknown>, order: readonly string[], priority: number): Rule {
  const { conditions, ...rest } = cells.get(outcomeCell) as Omit<Rule, 'priority' | 'conditions'> &
    Partial<Pick<Rule, 'conditions'>>;
  if (conditions) return { ...rest, priority, conditions };
  const facts = [...cells.keys()].filter((cell) => cell !== outcomeCell);
  const placeOf = (fact: string) => (order.includes(fact) ? order.indexOf(fact) : order.length);
  const sorted = facts.toSorted((one, other) => placeOf(one) - placeOf(other));
  const all = sorted.flatMap((fact) => cells.get(fact) as Condition[]);
  return { ...rest, priority, conditions: { all } };
}
