// The library's result for each rule of a table, on every combination of the facts that the rule reads. The library
// evaluates each rule by itself, so this covers every cell of the table in far fewer runs.
import { Engine, type RuleProperties } from 'json-rules-engine';
import { seededNumbers } from '#core/platform/pure/random.ts';
import type { Table } from '#rules/rulesets/engine/compile.ts';
import { leavesOf } from '#rules/rulesets/engine/document/conditions.ts';
import type { Facts, FactValue, Rule } from '#rules/rulesets/engine/document/document.ts';
import type { FactPartition } from '#rules/rulesets/engine/partition.ts';

const seed = 20;

export interface Verdict {
  readonly facts: Facts;
  readonly holds: boolean;
}

/** Returns the number of combinations for a rule. */
export const verdictCount = (table: Table, rule: Rule): number =>
  factsRead(table, rule).reduce((product, { cells }) => product * cells.length, 1);

/**
 * Yields each combination of cells of the facts that the rule reads, including impossible ones; above `most`
 * combinations, a random sample of `most`.
 */
export async function* verdictsOf(table: Table, rule: Rule, most: number): AsyncGenerator<Verdict> {
  const engine = new Engine([rule as unknown as RuleProperties]);
  const read = factsRead(table, rule);
  const count = verdictCount(table, rule);
  const next = seededNumbers(seed);
  for (let turn = 0; turn < Math.min(count, most); turn += 1) {
    const facts = combination(read, count <= most ? turn : Math.floor(next() * count));
    const { results } = await engine.run(facts);
    yield { facts, holds: results.length === 1 };
  }
}

function factsRead({ partition }: Table, { conditions }: Rule): readonly FactPartition[] {
  const read = new Set(leavesOf(conditions).map(({ fact }) => fact));
  return partition.filter(({ name }) => read.has(name));
}

function combination(read: readonly FactPartition[], at: number): Facts {
  let rest = at;
  const facts: Record<string, FactValue> = {};
  for (const { name, cells } of read) {
    facts[name] = cells[rest % cells.length]?.sample ?? 0;
    rest = Math.floor(rest / cells.length);
  }
  return facts;
}
