// Typed facts: wrong names and types are refused on load, wrong values when deciding, and the answers equal those of
// the checked path.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import { NoDecisionError } from '#rules/rulesets/engine/decide.ts';
import { firstHit } from '#rules/rulesets/engine/decider.ts';
import type { FactSpec, Facts, RootCondition } from '#rules/rulesets/engine/document/document.ts';
import { FactError, type FactProblem } from '#rules/rulesets/engine/document/facts.ts';
import type { FactsOfTable, TypedFacts } from '#rules/rulesets/engine/typed-facts.ts';
import { mini, smallTable } from '../tables.ts';

const table = compileTable(mini());
const facts = { distinctItems: 8, deficitRate: 0.2, pattern: 'none', gateway: false };

const miniFacts: TypedFacts<typeof facts> = ({ number, word, flag }) => {
  const distinctItems = number('distinctItems');
  const deficitRate = number('deficitRate');
  const pattern = word('pattern');
  const gateway = flag('gateway');
  return (given) =>
    distinctItems(given.distinctItems) &
    deficitRate(given.deficitRate) &
    pattern(given.pattern) &
    gateway(given.gateway);
};
const ruleOf = firstHit(table, miniFacts, ({ ruleId }) => ruleId);

test('the first rule that holds', () => {
  assert.is(ruleOf({ ...facts, distinctItems: 3 }), 'MINI-01');
  assert.is(ruleOf({ ...facts, deficitRate: 0.35, gateway: true }), 'MINI-02');
  assert.is(ruleOf({ ...facts, deficitRate: 0.9 }), 'MINI-03');
  assert.is(ruleOf(facts), 'MINI-04');
});

const all: readonly ((of: FactsOfTable) => unknown)[] = [
  (of) => of.number('distinctItems'),
  (of) => of.number('deficitRate'),
  (of) => of.word('pattern'),
  (of) => of.flag('gateway'),
];
const asking =
  (...asked: readonly ((of: FactsOfTable) => unknown)[]): TypedFacts<Facts> =>
  (of) => {
    for (const ask of asked) ask(of);
    return () => 1;
  };

for (const [what, typed, message] of [
  ['a fact that the table has not', asking(...all, (of) => of.flag('age')), /no fact age/],
  ['a fact that the engine does not give', asking(...all.slice(1)), /fact distinctItems that the engine does not give/],
  ['a word for a number', asking(...all, (of) => of.word('deficitRate')), /no fact deficitRate of the type/],
  ['a flag for a word', asking(...all, (of) => of.flag('pattern')), /no fact pattern of the type/],
  ['a number for a flag', asking(...all, (of) => of.number('gateway')), /no fact gateway of the type/],
  ['a number for a word', asking(...all, (of) => of.number('pattern')), /no fact pattern of the type/],
] as const) {
  test(`refused on load: ${what}`, () => {
    assert.throws(
      () => firstHit(table, typed, () => 0),
      (error: Error) => error instanceof RangeError && message.test(error.message),
    );
  });
}

for (const [problem, fact, value] of [
  ['missing', 'gateway', undefined],
  ['wrong_type', 'gateway', 1],
  ['wrong_type', 'distinctItems', '8'],
  ['wrong_type', 'distinctItems', 3.5],
  ['wrong_type', 'pattern', null],
  ['out_of_domain', 'pattern', 'strong'],
  ['out_of_domain', 'deficitRate', Number.NaN],
  ['out_of_domain', 'deficitRate', 1.0001],
  ['out_of_domain', 'distinctItems', -1],
] as const satisfies readonly (readonly [FactProblem, keyof typeof facts, unknown])[]) {
  test(`an invalid value is still named: ${fact} ${String(value)}`, () => {
    assert.throws(
      () => ruleOf({ ...facts, [fact]: value }),
      (error: unknown) => error instanceof FactError && error.problem === problem && error.fact === fact,
    );
  });
}

const digit: FactSpec = { type: 'integer', min: 0, max: 50, better: null };
const rows = (count: number): RootCondition[] =>
  Array.from({ length: count }, (_, row) => ({ all: [{ fact: 'x', operator: 'equal', value: row }] }));
const oneNumber: TypedFacts<{ readonly x: number }> = (of) => {
  const x = of.number('x');
  return (given) => x(given.x);
};

test('the first hit of every word of boxes, and a gap', () => {
  const wide = firstHit(compileTable(smallTable({ x: digit }, rows(50))), oneNumber, ({ ruleId }) => ruleId);
  for (let x = 0; x < 50; x += 1) assert.is(wide({ x }), `T-${String(x + 1).padStart(2, '0')}`);
  assert.throws(
    () => wide({ x: 50 }),
    (error: unknown) => error instanceof NoDecisionError,
  );
});

test('a collect table has no first hit', () => {
  const collecting = compileTable(smallTable({ x: digit }, rows(2), 'collect'));
  assert.throws(() => firstHit(collecting, oneNumber, () => 0), /collects/);
});

test('an observer receives the facts by name, and its answer is used', () => {
  const seen: Facts[] = [];
  const observed = compileTable(mini(), ({ decisions }, asked) => {
    seen.push(asked);
    return decisions.slice(2, 3);
  });
  assert.is(firstHit(observed, miniFacts, ({ ruleId }) => ruleId)(facts), 'MINI-03');
  assert.equal(seen, [facts]);
});

test.run();
