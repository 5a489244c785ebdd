// Every decision table under rules/ against two other readings of it: plain JavaScript, and the library's own engine.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cellCount, cellsOf, sampledCells } from '../../../src/rulesets/engine/boundaries/cells.ts';
import type { Table } from '../../../src/rulesets/engine/compile.ts';
import { collect, decide } from '../../../src/rulesets/engine/decide.ts';
import type { Decision, Facts } from '../../../src/rulesets/engine/document/document.ts';
import { askReferenceEngine } from '../../../src/rulesets/engine/reference-engine.ts';
import { shippedTables } from '../tables.ts';
import { hitsByHand } from './interpreter.ts';

/** The reference engine takes a good part of a millisecond a run; a table up to this size is put to it whole. */
const referenceCells = 20_000;
const referenceSample = 2_000;
const walkableCells = 2_000_000;
const handSample = 100_000;
const seed = 20;

const tables = await shippedTables();

test('there are tables to check', () => {
  const names = tables.map(({ table }) => table.name);
  for (const name of ['adr/adr', 'cis/cis', 'bnd/bnd', 'pac/pac', 'ssr/ssr', 'ddr/ddr', 'dsm/dsm', 'rbm/rbm']) {
    assert.ok(names.includes(name as Table['name']), `${name} is missing`);
  }
});

for (const { id, table } of tables) {
  const count = cellCount(table);
  const handCells = count <= walkableCells ? 'every possible cell' : `${handSample} sampled cells`;
  test(`${id}: compiled equals a reading by hand on ${handCells}`, () => {
    for (const facts of count <= walkableCells ? cellsOf(table) : sampledCells(table, handSample, seed)) {
      assertSame(
        ours(table, facts).map((hit) => hit.ruleId),
        inPolicy(table, hitsByHand(table.document, facts)),
        facts,
      );
    }
  });

  const slowCells = count <= referenceCells ? 'every possible cell' : `${referenceSample} sampled cells`;
  test(`${id}: compiled equals the library's engine on ${slowCells}`, async () => {
    for (const facts of count <= referenceCells ? cellsOf(table) : sampledCells(table, referenceSample, seed)) {
      const theirs = await askReferenceEngine(table.document, facts);
      assertSame(ours(table, facts), inPolicy(table, theirs), facts);
    }
  });
}

const isFirst = (table: Table): boolean => table.document.meta.hitPolicy === 'first';

const ours = (table: Table, facts: Facts): readonly Decision[] =>
  isFirst(table) ? [decide(table, facts)] : collect(table, facts);

/** Of a first-hit table only the first hit counts. */
const inPolicy = <T>(table: Table, hits: readonly T[]): readonly T[] => (isFirst(table) ? hits.slice(0, 1) : hits);

/** uvu's own comparison formats both sides even when they agree, which is too slow for so many. */
function assertSame(actual: readonly unknown[], expected: readonly unknown[], facts: Facts): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) assert.is(left, right, JSON.stringify(facts));
}

test.run();
