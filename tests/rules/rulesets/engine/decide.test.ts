// The evaluator: first hit, collected hits, refused facts, and traces.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import { collect, decide, NoDecisionError } from '#rules/rulesets/engine/decide.ts';
import type { FactSpec, Facts, FactValue, RootCondition } from '#rules/rulesets/engine/document/document.ts';
import { FactError } from '#rules/rulesets/engine/document/facts.ts';
import { mini, smallTable } from '../tables.ts';

const table = compileTable(mini());
const facts = { distinctItems: 8, deficitRate: 0.2, pattern: 'none', gateway: false };
const ruleFor = (change: Partial<typeof facts>): string => decide(table, { ...facts, ...change }).ruleId;

test('MINI-01: the lower bound is exclusive', () => {
  assert.is(ruleFor({ distinctItems: 3 }), 'MINI-01');
  assert.is(ruleFor({ distinctItems: 4 }), 'MINI-04');
});

test('MINI-02: either branch of any is enough, and the bound is inclusive', () => {
  assert.is(ruleFor({ deficitRate: 0.35, gateway: true }), 'MINI-02');
  assert.is(ruleFor({ deficitRate: 0.35, pattern: 'persistent' }), 'MINI-02');
  assert.is(ruleFor({ deficitRate: 0.3499, gateway: true }), 'MINI-04');
});

test('MINI-03: not negates its leaf', () => {
  assert.is(ruleFor({ deficitRate: 0.9 }), 'MINI-03');
});

test('a decision has the event’s params, and a trace only on request', () => {
  assert.equal(decide(table, { ...facts, distinctItems: 0, deficitRate: 0 }), {
    ruleId: 'MINI-01',
    outcome: 'unknown',
    params: { outcome: 'unknown', messageKey: 'mini.unknown' },
  });
});

test('facts may come in any order', () => {
  assert.is(decide(table, { gateway: true, pattern: 'none', deficitRate: 0.5, distinctItems: 8 }).ruleId, 'MINI-02');
});

for (const [problem, fact, given] of [
  ['missing', 'gateway', { distinctItems: 8, deficitRate: 0.2, pattern: 'none' }],
  ['missing', 'gateway', { ...facts, gateway: undefined }],
  ['foreign', 'age', { ...facts, age: 7 }],
  ['foreign', '__proto__x', { ...facts, __proto__x: 7 }],
  ['missing', 'gateway', { distinctItems: 8, deficitRate: 0.2, pattern: 'none', age: 7 }],
  ['wrong_type', 'distinctItems', { ...facts, distinctItems: '8' }],
  ['wrong_type', 'distinctItems', { ...facts, distinctItems: 3.5 }],
  ['wrong_type', 'gateway', { ...facts, gateway: 1 }],
  ['wrong_type', 'pattern', { ...facts, pattern: null }],
  ['wrong_type', 'pattern', { ...facts, pattern: true }],
  ['out_of_domain', 'pattern', { ...facts, pattern: 'strong' }],
  ['out_of_domain', 'deficitRate', { ...facts, deficitRate: 1.0001 }],
  ['out_of_domain', 'deficitRate', { ...facts, deficitRate: Number.NaN }],
  ['out_of_domain', 'distinctItems', { ...facts, distinctItems: -1 }],
] as const) {
  test(`a fact that is ${problem} is an error that names it (${fact}, ${JSON.stringify(given)})`, () => {
    try {
      decide(table, given as Facts);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, FactError);
      assert.is((error as FactError).problem, problem);
      assert.is((error as FactError).fact, fact);
    }
  });
}

test('a refused question does not affect the next answer', () => {
  assert.throws(() => decide(table, { ...facts, distinctItems: 0, pattern: 'strong' }));
  assert.is(ruleFor({}), 'MINI-04');
});

test('trace: every rule tried, with its first failing condition, and what held of the one that hit', () => {
  const { trace } = decide(table, { ...facts, deficitRate: 0.5 }, { trace: true });
  assert.equal(trace, [
    {
      ruleId: 'MINI-01',
      failed: {
        fact: 'distinctItems',
        operator: 'lessThan',
        value: 4,
        valueRef: 'MINI-MIN-01',
        at: 'all.0',
        actual: 8,
        negated: false,
      },
    },
    {
      ruleId: 'MINI-02',
      failed: {
        fact: 'pattern',
        operator: 'in',
        value: ['linked', 'persistent'],
        at: 'all.1.any.0',
        actual: 'none',
        negated: false,
      },
    },
    {
      ruleId: 'MINI-03',
      held: [
        {
          fact: 'deficitRate',
          operator: 'lessThan',
          value: 0.35,
          valueRef: 'MINI-DEF-01',
          at: 'not',
          actual: 0.5,
          negated: true,
        },
      ],
    },
  ]);
});

test('trace: under not, the leaf that held is the one that failed', () => {
  const { trace } = decide(table, facts, { trace: true });
  assert.is(trace?.[2]?.failed?.at, 'not');
  assert.is(trace?.[2]?.failed?.negated, true);
});

const digit: FactSpec = { type: 'integer', min: 0, max: 9, better: null };
const below = (value: FactValue): RootCondition => ({ all: [{ fact: 'x', operator: 'lessThan', value }] });

test('collect: every hit in priority order, possibly none, each rule once', () => {
  const either: RootCondition = {
    any: [{ all: [{ fact: 'x', operator: 'equal', value: 1 }] }, { all: [{ fact: 'y', operator: 'equal', value: 1 }] }],
  };
  const collecting = compileTable(smallTable({ x: digit, y: digit }, [below(2), either, below(5)], 'collect'));
  const hits = (x: number, y: number) => collect(collecting, { x, y }).map((hit) => hit.ruleId);
  assert.equal(hits(1, 1), ['T-01', 'T-02', 'T-03']);
  assert.equal(hits(4, 0), ['T-03']);
  assert.equal(hits(9, 0), []);
});

test('a table is evaluated by its hit policy only', () => {
  const collecting = compileTable(smallTable({ x: digit }, [below(2)], 'collect'));
  assert.throws(() => decide(collecting, { x: 1 }), /collects/);
  assert.throws(() => collect(table, facts), /decides/);
});

test('a gap is an error, never an undefined answer', () => {
  const gapped = compileTable(smallTable({ x: digit }, [below(2)]));
  try {
    decide(gapped, { x: 2 });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, NoDecisionError);
    assert.match((error as Error).message, 'fixture/small@1 has no rule for {"x":2}');
  }
});

test('more than 32 boxes: the first hit is found in every word', () => {
  const spec: FactSpec = { type: 'integer', min: 0, max: 99, better: null };
  const rows = Array.from(
    { length: 99 },
    (_, row): RootCondition => ({ all: [{ fact: 'x', operator: 'equal', value: row }] }),
  );
  const wide = compileTable(smallTable({ x: spec }, [...rows, { all: [] }]));
  for (let x = 0; x <= 99; x += 1) {
    assert.is(decide(wide, { x }).ruleId, `T-${String(x + 1).padStart(2, '0')}`);
  }
  assert.is(wide.words, 4);
});

test('bit 31 of a word is a valid box', () => {
  const rows = Array.from(
    { length: 40 },
    (_, row): RootCondition => ({ all: [{ fact: 'x', operator: 'equal', value: row }] }),
  );
  const wide = compileTable(smallTable({ x: { type: 'integer', min: 0, max: 50, better: null } }, rows, 'collect'));
  assert.equal(
    [31, 32, 41].map((x) => collect(wide, { x }).map((hit) => hit.ruleId)),
    [['T-32'], ['T-33'], []],
  );
});

test.run();
