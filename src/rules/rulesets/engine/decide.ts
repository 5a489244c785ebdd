// The evaluator: finds the first rule of a table that holds for a set of facts.
import type { Table } from './compile.ts';
import { flagFact, numericSlot, slotOf, wordFact } from './compiled-fact.ts';
import { firstFailure, matchedLeaves } from './document/conditions.ts';
import type { Decision, Facts, TraceStep } from './document/document.ts';
import { assertFacts, FactError } from './document/facts.ts';

/** No rule of a first-hit table holds: the table has a gap, which the analysis before publishing reports. */
export class NoDecisionError extends Error {
  constructor(table: Table, facts: Facts) {
    super(`${table.id} has no rule for ${JSON.stringify(facts)}`);
    this.name = 'NoDecisionError';
  }
}

/**
 * Returns the first rule in priority order that holds. Throws FactError when a fact is missing, undeclared, of the
 * wrong type or outside its domain. With `trace`, which is slower, the decision lists every rule tried and its first
 * failing condition.
 */
export function decide(table: Table, facts: Facts, options?: { readonly trace?: boolean }): Decision {
  if (!table.isFirstHit) throw new TypeError(`${table.id} collects; ask collect()`);
  let word = 0;
  let possible = possibleBoxes(table, facts);
  while (possible === 0 && word < table.words - 1) possible = laterBoxes(table, facts, ++word);
  const row = table.rowOfBox[word * 32 + lowestBit(possible)] ?? -1;
  const decision = possible === 0 ? undefined : table.decisions[row];
  if (!decision) throw new NoDecisionError(table, facts);
  return options?.trace ? { ...decision, trace: traceUntil(table, facts, row) } : decision;
}

/** Returns every rule of a collect table that holds, in priority order, possibly none. Throws as `decide` does. */
export function collect(table: Table, facts: Facts): Decision[] {
  if (table.isFirstHit) throw new TypeError(`${table.id} decides; ask decide()`);
  const hits: Decision[] = [];
  for (let word = 0; word < table.words; word += 1) {
    let possible = word === 0 ? possibleBoxes(table, facts) : laterBoxes(table, facts, word);
    for (; possible !== 0; possible &= possible - 1) {
      const decision = table.decisions[table.rowOfBox[word * 32 + lowestBit(possible)] ?? -1];
      if (decision && hits.at(-1) !== decision) hits.push(decision);
    }
  }
  return hits;
}

/** Returns for each rule up to `lastRow` why it did or did not hold, in table order. */
export function traceUntil(table: Table, facts: Facts, lastRow = table.document.rules.length - 1): TraceStep[] {
  return table.document.rules.slice(0, lastRow + 1).map((rule) => {
    const failed = firstFailure(rule.conditions, facts);
    return failed ? { ruleId: rule.name, failed } : { ruleId: rule.name, held: matchedLeaves(rule.conditions, facts) };
  });
}

/**
 * Checks the facts and returns which of the first 32 boxes admit them all, in one pass over facts in document order.
 * Facts in another order, and invalid ones, take the slower path. One loop is measurably faster than a function per
 * fact.
 */
function possibleBoxes(table: Table, facts: Facts): number {
  const declared = table.facts;
  let possible = -1;
  let seen = 0;
  for (const name in facts) {
    const fact = declared[seen];
    if (fact === undefined || fact.name !== name) return possibleBoxesByName(table, facts);
    const value = facts[name];
    if (fact.kind === flagFact) {
      if (value === true) possible &= fact.maskOfTrue;
      else if (value === false) possible &= fact.maskOfFalse;
      else return refuse(table, facts);
    } else if (fact.kind === wordFact) {
      const mask = fact.maskOfWord.get(value);
      if (mask === undefined) return refuse(table, facts);
      possible &= mask;
    } else {
      const slot = numericSlot(fact, value);
      if (slot < 0) return refuse(table, facts);
      possible &= fact.masks[slot] ?? 0;
    }
    seen += 1;
  }
  return seen === declared.length ? possible : refuse(table, facts);
}

/** All declared facts are present and there are no more, so none is undeclared. */
function possibleBoxesByName(table: Table, facts: Facts): number {
  let possible = -1;
  for (const fact of table.facts) {
    const slot = Object.hasOwn(facts, fact.name) ? slotOf(fact, facts[fact.name]) : -1;
    if (slot < 0) return refuse(table, facts);
    possible &= fact.masks[slot] ?? 0;
  }
  return Object.keys(facts).length === table.facts.length ? possible : refuse(table, facts);
}

/** Returns the boxes of a later word, for facts that were checked with word 0. */
function laterBoxes({ facts: declared }: Table, facts: Facts, word: number): number {
  return declared.reduce((possible, fact) => {
    return possible & (fact.masks[word * fact.slots + slotOf(fact, facts[fact.name])] ?? 0);
  }, -1);
}

/** Throws the FactError for facts that the fast check rejected. */
function refuse(table: Table, facts: Facts): never {
  assertFacts(table.id, table.document.facts, facts);
  throw new FactError(table.id, '?', 'foreign');
}

export const lowestBit = (mask: number): number => 31 - Math.clz32(mask & -mask);
