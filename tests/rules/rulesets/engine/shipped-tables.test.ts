// timeout: 400s
// Every decision table under rules/ compared with plain JavaScript and with the library's own engine. Engines with
// typed facts are tested on these cells too.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isEngineDocument } from '#assessment/skill-status/rules/pipelines.ts';
import { cellCount, cellsOf, sampledCells } from '#rules/rulesets/engine/boundaries/cells.ts';
import type { Table } from '#rules/rulesets/engine/compile.ts';
import { collect, decide } from '#rules/rulesets/engine/decide.ts';
import { firstHit } from '#rules/rulesets/engine/decider.ts';
import type { Decision, Facts } from '#rules/rulesets/engine/document/document.ts';
import { askReferenceEngine } from '#rules/rulesets/engine/reference-engine.ts';
import { typedFactsOf as engineFactsOf } from '../../../assessment/skill-status/engine/typed-facts.ts';
import { earlierInterventionFactsOf, interventionFactsOf } from '../../../support/interventions/typed-facts.ts';
import { shippedTables } from '../tables.ts';
import { byHand, reading } from './interpreter.ts';
import { verdictsOf } from './library-rules.ts';

/**
 * The reference engine takes nearly a millisecond per run: tables up to this size are tested completely, others by a
 * sample.
 */
const referenceCells = 2_000;
/** One rule tests a dozen measures; a sample suffices, because the interpreter evaluates it cell by cell. */
const mostVerdicts = 20_000;
const walkableCells = 2_000_000;
const handSample = 100_000;
const seed = 20;

const tables = await shippedTables();
const typedFactsOf = { ...engineFactsOf, ...interventionFactsOf };
const interventions = ['profile', 'bundle', 'cluster', 'rti', 'fidelity'];

test('there are tables to check', () => {
  const names = tables.map(({ table }) => table.name);
  for (const name of ['adr/adr', 'cis/cis', 'bnd/bnd', 'pac/pac', 'ssr/ssr', 'ddr/ddr', 'dsm/dsm', 'rbm/rbm']) {
    assert.ok(names.includes(name as Table['name']), `${name} is missing`);
  }
});

test('each first-hit table of the engines has typed facts', () => {
  const isOfEngine = ({ name, document }: Table) =>
    isEngineDocument(name) || interventions.includes(document.meta.family);
  const firstHits = tables.filter(({ table }) => table.isFirstHit && isOfEngine(table));
  assert.equal([...new Set(firstHits.map(({ table }) => table.name))].sort(), Object.keys(typedFactsOf).sort());
});

for (const { id, table } of tables) {
  const waysOfAsking = waysToAsk(table);
  const count = cellCount(table);
  const handCells = count <= walkableCells ? 'every possible cell' : `${handSample} sampled cells`;
  test(`${id}: compiled equals the interpreter on ${handCells}`, () => {
    const hitsByHand = byHand(table.document, table.isFirstHit ? 1 : undefined);
    for (const facts of count <= walkableCells ? cellsOf(table) : sampledCells(table, handSample, seed)) {
      const expected = hitsByHand(facts);
      for (const ask of waysOfAsking) assertIds(ask(facts), expected, facts);
    }
  });

  test(`${id}: each rule by itself equals the library, on the cells of the facts that it reads (all, or ${mostVerdicts})`, async () => {
    for (const rule of table.document.rules) {
      const holdsByHand = reading(rule.conditions);
      for await (const { facts, holds } of verdictsOf(table, rule, mostVerdicts))
        if (holdsByHand(facts) !== holds) assert.unreachable(`${rule.name}: ${JSON.stringify(facts)}`);
    }
  });

  const slowCells = count <= referenceCells ? 'every possible cell' : `${referenceCells} sampled cells`;
  test(`${id}: compiled equals the library's engine on ${slowCells}`, async () => {
    for (const facts of count <= referenceCells ? cellsOf(table) : sampledCells(table, referenceCells, seed)) {
      const theirs = inPolicy(table, await askReferenceEngine(table.document, facts));
      for (const ask of waysOfAsking) assertSame(ask(facts), theirs, facts);
    }
  });
}

type Ask = (facts: Facts) => readonly Decision[];

/** With facts checked by name, and with typed facts where the engine has them. */
function waysToAsk(table: Table): readonly Ask[] {
  if (!table.isFirstHit) return [(facts) => collect(table, facts)];
  const typed = earlierInterventionFactsOf[table.id] ?? typedFactsOf[table.name];
  const decisionNamed = (name: string) => table.decisions.find(({ ruleId }) => ruleId === name) as Decision;
  const typedHit = typed && firstHit(table, typed, ({ ruleId }) => [decisionNamed(ruleId)]);
  return [(facts) => [decide(table, facts)], ...(typedHit ? [typedHit] : [])];
}

/** In a first-hit table only the first hit counts. */
function inPolicy<T>(table: Table, hits: readonly T[]): readonly T[] {
  return table.isFirstHit ? hits.slice(0, 1) : hits;
}

function assertIds(actual: readonly Decision[], expected: readonly string[], facts: Facts): void {
  const same = actual.length === expected.length && actual.every(({ ruleId }, at) => ruleId === expected[at]);
  if (!same) assert.equal([actual, facts], [expected, facts]);
}

/** uvu's own comparison formats both sides even when they agree, which is too slow for so many. */
function assertSame(actual: readonly unknown[], expected: readonly unknown[], facts: Facts): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) assert.is(left, right, JSON.stringify(facts));
}

test.run();
