// How the rules of a table differ from those of another text, row by row and cell by cell.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { isTable, type Rule, type RuleDocument } from '#rules/rulesets/engine/index.ts';
import type { rowChanges } from '../../enums.ts';
import { cellsOfRule } from './rule-cells.ts';

export interface RowDifference {
  readonly ruleId: string;
  readonly kind: (typeof rowChanges)[number];
  /** The cells that differ: facts, and `outcome` for all else of a rule. */
  readonly cells: readonly string[];
}

/** Returns the rows in the order of the new text, then those that it no longer has. Values have no rows. */
export function rowDifferences(before: RuleDocument, after: RuleDocument): RowDifference[] {
  if (!isTable(before) || !isTable(after)) return [];
  const [old, young] = [byId(before.rules), byId(after.rules)];
  const kept = (rules: readonly Rule[]) =>
    rules.map(({ name }) => name).filter((name) => old.has(name) && young.has(name));
  const moved = movedIds(kept(before.rules), kept(after.rules));
  const rows = after.rules.flatMap((rule): RowDifference[] => {
    const was = old.get(rule.name);
    if (!was) return [{ ruleId: rule.name, kind: 'added', cells: [] }];
    const cells = changedCells(was, rule);
    if (cells.length > 0) return [{ ruleId: rule.name, kind: 'changed', cells }];
    return moved.has(rule.name) ? [{ ruleId: rule.name, kind: 'moved', cells: [] }] : [];
  });
  const removed = before.rules.filter(({ name }) => !young.has(name));
  return [...rows, ...removed.map(({ name }): RowDifference => ({ ruleId: name, kind: 'removed', cells: [] }))];
}

const byId = (rules: readonly Rule[]): ReadonlyMap<string, Rule> => new Map(rules.map((rule) => [rule.name, rule]));

function changedCells(before: Rule, after: Rule): string[] {
  const [was, is] = [cellsOfRule(before), cellsOfRule(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    (cell) => canonicalJson(was.get(cell) ?? null) !== canonicalJson(is.get(cell) ?? null),
  );
}

/** Returns the fewest ids whose removal leaves both lists in one order: all but a longest common subsequence. */
function movedIds(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const place = new Map(before.map((id, at) => [id, at]));
  const places = after.map((id) => place.get(id) ?? 0);
  const longest = longestRise(places);
  return new Set(after.filter((_, at) => !longest.has(at)));
}

/** Returns the indexes of a longest rising subsequence; the lists have at most 256 entries. */
function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  const best: { readonly length: number; readonly from: number }[] = [];
  for (const number of numbers) {
    let [length, from] = [1, -1];
    for (const [earlier, { length: other }] of best.entries()) {
      if ((numbers[earlier] ?? 0) < number && other + 1 > length) [length, from] = [other + 1, earlier];
    }
    best.push({ length, from });
  }
  let at = best.findIndex(({ length }) => length === Math.max(...best.map((one) => one.length)));
  const chosen = new Set<number>();
  while (at >= 0) {
    chosen.add(at);
    at = best[at]?.from ?? -1;
  }
  return chosen;
}
