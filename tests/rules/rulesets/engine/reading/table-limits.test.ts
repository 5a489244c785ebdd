// Size limits of tables: each limit is accepted and one more is refused, and no shipped table is close to one.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import { leavesOf } from '#rules/rulesets/engine/document/conditions.ts';
import type { FactSpec, Leaf, RootCondition, TableDocument } from '#rules/rulesets/engine/document/document.ts';
import { isError } from '#rules/rulesets/engine/document/findings.ts';
import { tableLimits } from '#rules/rulesets/engine/document/table-limits.ts';
import { checkRuleText } from '#rules/rulesets/engine/reading/parse.ts';
import { generatedTable } from '../../../../../bench/rules/generated-table.ts';
import { validators } from '../../document-schemas.ts';
import { shippedTables, smallTable } from '../../tables.ts';

const number: FactSpec = { type: 'integer', min: 0, max: 9_999, better: null };
const below = (value: number, fact = 'x'): Leaf => ({ fact, operator: 'lessThan', value });
const anything: RootCondition = { all: [] };
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** All rules have one outcome, since the size of the vocabulary has its own limit. */
function output(document: TableDocument): TableDocument {
  const rules = document.rules.map((rule) => ({ ...rule, event: { type: 'decision', params: { outcome: 'same' } } }));
  return { ...document, outcomes: { order: ['same'], unordered: [] }, rules };
}

const table = (conditions: readonly RootCondition[], facts: Record<string, FactSpec> = { x: number }) =>
  output(smallTable(facts, [...conditions, anything]));

const words = (count: number): FactSpec => ({ type: 'enum', values: many(count, (at) => `w${at}`), better: null });
const numberFacts = (count: number) => Object.fromEntries(many(count, (at) => [`f${at}`, number]));

const sized: Readonly<Record<string, (size: number) => TableDocument>> = {
  facts: (size) => table([], numberFacts(size)),
  rules: (size) => table(many(size - 1, (at) => ({ all: [below(at + 1)] }))),
  constraints: (size) => ({
    ...table([]),
    constraints: many(size, (at) => ({ id: `C-${at}`, rationale: 'none', impossible: { all: [below(at + 1)] } })),
  }),
  comparisons: (size) => table([{ any: many(size, (at) => below(at + 1)) }]),
  values: (size) => table([{ all: [{ fact: 'x', operator: 'in', value: many(size, (at) => at) }] }]),
  'values of an enum': (size) => table([], { x: words(size) }),
};

const limitOf = (what: string) => tableLimits[what.split(' ')[0] as keyof typeof tableLimits];
const errorsOf = (document: TableDocument) => checkRuleText(JSON.stringify(document), validators).filter(isError);

for (const [what, make] of Object.entries(sized)) {
  test(`${what}: the maximum is accepted, one more is a finding`, () => {
    assert.equal(errorsOf(make(limitOf(what))), []);
    assert.equal([...new Set(errorsOf(make(limitOf(what) + 1)).map(({ code }) => code))], ['SCHEMA']);
  });
}

test('a table that expands beyond the limit is refused during expansion, quickly', () => {
  const pairs = many(32, (at) => ({ any: [below(5_000, `f${2 * at}`), below(5_000, `f${2 * at + 1}`)] }));
  const document = table([{ all: pairs }], numberFacts(64));
  assert.equal(errorsOf(document), []);
  const startedAt = process.cpuUsage().user;
  assert.throws(
    () => compileTable(document),
    (error: unknown) => error instanceof RangeError,
  );
  assert.ok(process.cpuUsage().user - startedAt < 2_000_000, 'two seconds of work are too many');
});

test('a fact is not cut into more ranges than allowed', () => {
  const fine = table(many(60, (row) => ({ any: many(20, (at) => below(20 * row + at + 1)) })));
  assert.equal(errorsOf(fine), []);
  assert.throws(
    () => compileTable(fine),
    (error: unknown) => error instanceof RangeError,
  );
});

test('no shipped table uses more than a fifth of a limit, or two fifths for facts, comparisons and values', async () => {
  for (const { id, document, table: compiled } of await shippedTables()) {
    const sizes = {
      facts: Object.keys(document.facts).length / 2,
      rules: document.rules.length,
      constraints: document.constraints?.length ?? 0,
      comparisons: Math.max(...document.rules.map(({ conditions }) => leavesOf(conditions).length)) / 2,
      values:
        Math.max(0, ...Object.values(document.facts).map((spec) => ('values' in spec ? spec.values.length : 0))) / 2,
      boxes: compiled.rowOfBox.length,
      cells: Math.max(...compiled.partition.map(({ cells }) => cells.length)),
    };
    for (const [what, size] of Object.entries(sizes)) assert.ok(size < limitOf(what) / 5, `${id}: ${what}`);
  }
});

test('the generated table of the benchmarks is within all limits', () => {
  const document = generatedTable(40, 12, 1);
  assert.equal(errorsOf(document), []);
  compileTable(document);
});

test.run();
