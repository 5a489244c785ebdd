// Traced questions: the facts given to a decision table, with its hits.
import type { Table } from './compile.ts';
import { collect, decide } from './decide.ts';
import type { Decision, Facts } from './document/document.ts';
import { FactError } from './document/facts.ts';

/** One question to a table. `hits` are the hits that the engine used: exactly one for a first-hit table. */
export interface TracedCall {
  readonly table: Table;
  readonly facts: Facts;
  readonly hits: readonly Decision[];
}

/** Evaluates the question again. Returns undefined for facts that do not fit the table. */
export function replayQuestion(table: Table, facts: Facts): TracedCall | undefined {
  try {
    return { table, facts, hits: table.isFirstHit ? [decide(table, facts)] : collect(table, facts) };
  } catch (error) {
    if (error instanceof FactError) return undefined;
    throw error;
  }
}
