// Generates golden cases: for every rule a set of facts that it decides, its near misses, and both sides of each cut.
import { boxesOf, intersection } from '../boxes.ts';
import type { Table } from '../compile.ts';
import { holds, leavesOf } from '../document/conditions.ts';
import type { Facts, FactValue, Rule } from '../document/document.ts';
import { answer, type GoldenCase } from '../golden.ts';
import type { FactPartition } from '../partition.ts';
import { isImpossible } from './cells.ts';
import { contextsOf, regionOf, sample, uncovered } from './regions.ts';

/**
 * Returns the cases; equal tables give equal cases. An unreachable rule has no case; the analysis before publishing
 * reports it.
 */
export function boundaryCases(table: Table): readonly GoldenCase[] {
  const cases = new CaseList(table);
  const rows = table.document.rules.map((rule, row) => ({ rule, contexts: contextsOf(table, row) }));
  for (const { rule, contexts } of rows) {
    const [first] = contexts;
    if (first) cases.add(`${rule.name}: witness`, first);
  }
  for (const [row, { rule, contexts }] of rows.entries()) {
    for (const fact of factsOf(rule, table)) addValues(cases, row, fact, contexts);
    for (const { fact, cut } of cutsOf(rule, table)) addBoundary(cases, row, fact, cut, contexts);
  }
  addPrecedence(cases);
  if (!table.isFirstHit) addNoHit(cases);
  return cases.all();
}

/** Collects cases and skips duplicate facts. */
class CaseList {
  readonly table: Table;
  readonly #byFacts = new Map<string, GoldenCase>();

  constructor(table: Table) {
    this.table = table;
  }

  add(name: string, facts: Facts): void {
    const key = JSON.stringify(facts);
    if (!this.#byFacts.has(key)) this.#byFacts.set(key, { name, facts, expected: answer(this.table, facts) });
  }

  all(): readonly GoldenCase[] {
    return [...this.#byFacts.values()];
  }
}

const factsOf = (rule: Rule, { partition }: Table): readonly FactPartition[] => {
  const names = new Set(leavesOf(rule.conditions).map((leaf) => leaf.fact));
  return partition.filter((fact) => names.has(fact.name));
};

/**
 * Adds, for each cell of a fact of the rule, facts that the rule decides and a neighbouring value at which it stops
 * holding.
 */
function addValues(cases: CaseList, row: number, fact: FactPartition, contexts: readonly Facts[]): void {
  const { table } = cases;
  const name = table.document.rules[row]?.name;
  const position = table.partition.indexOf(fact);
  const region = regionOf(table, row);
  for (const [bit, { sample: value }] of fact.cells.entries()) {
    const cell = 1n << BigInt(bit);
    const box = region.find((candidate) => ((candidate[position] ?? 0n) & cell) !== 0n);
    if (box) cases.add(`${name}: witness, ${fact.name} ${value}`, sample(table, box.with(position, cell)));
    const context = contexts.find((facts) => fallsThrough(table, row, { ...facts, [fact.name]: value }));
    if (context) cases.add(`${name}: near miss, ${fact.name} ${value}`, { ...context, [fact.name]: value });
  }
}

/** Returns whether possible facts pass the rule in this row: neither it nor a row above holds. */
function fallsThrough(table: Table, row: number, facts: Facts): boolean {
  if (isImpossible(table, facts)) return false;
  const rules = table.document.rules.slice(table.isFirstHit ? 0 : row, row + 1);
  return !rules.some((rule) => holds(rule.conditions, facts));
}

function cutsOf(rule: Rule, table: Table): readonly { readonly fact: FactPartition; readonly cut: number }[] {
  return factsOf(rule, table).flatMap((fact) => {
    const values: readonly FactValue[] = leavesOf(rule.conditions)
      .filter((leaf) => leaf.fact === fact.name)
      .flatMap((leaf) => leaf.value);
    return fact.cuts.filter((cut) => values.includes(cut)).map((cut) => ({ fact, cut }));
  });
}

/** Adds values just below, at and just above a cut, in the first context in which the rule holds on one side only. */
function addBoundary(cases: CaseList, row: number, fact: FactPartition, cut: number, contexts: readonly Facts[]): void {
  const { table } = cases;
  const around = neighbours(fact, cut);
  const changed = (facts: Facts, value: number): Facts => ({ ...facts, [fact.name]: value });
  const context = contexts.find((facts) => around.some(({ value }) => fallsThrough(table, row, changed(facts, value))));
  if (!context) return;
  for (const { side, value } of around) {
    const facts = changed(context, value);
    if (isImpossible(table, facts)) continue;
    cases.add(`${table.document.rules[row]?.name}: ${fact.name} ${side} ${cut}`, facts);
  }
}

/** One step is 1 for whole numbers and 0.0001 for others, which meet thresholds after rounding to 4 decimals. */
function neighbours(
  { spec }: FactPartition,
  cut: number,
): readonly { readonly side: string; readonly value: number }[] {
  if (spec.type !== 'integer' && spec.type !== 'decimal') return [];
  const step = spec.type === 'integer' ? 1 : 0.0001;
  return [
    { side: 'just below', value: Number((cut - step).toFixed(4)) },
    { side: 'at', value: cut },
    { side: 'just above', value: Number((cut + step).toFixed(4)) },
  ].filter(({ value }) => value >= spec.min && value <= spec.max);
}

/**
 * Adds, for two rules that both hold somewhere, facts on which the upper one decides, so that swapping rows is
 * detected. In a collect table neighbours suffice; in a first-hit table the default is skipped.
 */
function addPrecedence(cases: CaseList): void {
  const { document, isFirstHit } = cases.table;
  for (const [row, upper] of document.rules.entries()) {
    for (const lower of isFirstHit ? document.rules.slice(row + 1, -1) : document.rules.slice(row + 1, row + 2)) {
      const shared = overlap(cases.table, row, lower);
      if (shared) cases.add(`${upper.name} before ${lower.name}`, shared);
    }
  }
}

/** Returns facts that the rule in this row decides and that `lower` would decide without it. */
function overlap(table: Table, row: number, lower: Rule): Facts | undefined {
  const region = regionOf(table, row);
  const others = boxesOf(lower.conditions, table.partition);
  for (const box of region) {
    for (const other of others) {
      const common = intersection(box, other);
      if (common) return sample(table, common);
    }
  }
  return undefined;
}

/** Adds facts on which no rule of a collect table holds. */
function addNoHit(cases: CaseList): void {
  const { table } = cases;
  const [rest] = uncovered(table);
  if (rest) cases.add('no rule holds', sample(table, rest));
}
