// A question that was put to a decision table, written down beside its answer.
import type { Table } from './compile.ts';
import { collect, decide } from './decide.ts';
import type { Decision, Facts } from './document/document.ts';
import { FactError } from './document/facts.ts';

/** One question put to a table. `hits` is what the engine went on with: of a first-hit table exactly one. */
export interface TracedCall {
  readonly table: Table;
  readonly facts: Facts;
  readonly hits: readonly Decision[];
}

/** Asks once more what was asked before. Undefined for facts that the table cannot be asked with. */
export function askAgain(table: Table, facts: Facts): TracedCall | undefined {
  try {
    return { table, facts, hits: table.isFirstHit ? [decide(table, facts)] : collect(table, facts) };
  } catch (error) {
    if (error instanceof FactError) return undefined;
    throw error;
  }
}
