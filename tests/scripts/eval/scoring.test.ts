// The estimator on the command line refuses what it was not checked for, and names it, instead of giving a number.
import { spawnSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { evaluate } from '../../../scripts/eval/scoring.ts';
import { nodeArgv } from '../../harness/programs.ts';

const one = (given: object) => ({ cases: [{ b: [0, 0, 1], u: [1, 0, 1], ...given }] });

const refused: readonly [string, unknown, RegExp][] = [
  ['a difficulty beyond all sense', one({ b: [1e308, 0, 1] }), /^input\/cases\/0\/b\/0 must be <= 4/],
  ['one just above the range', one({ b: [0, 4.0001, 1] }), /^input\/cases\/0\/b\/1 must be <= 4/],
  ['one below it', one({ b: [0, 0, -4.5] }), /^input\/cases\/0\/b\/2 must be >= -4/],
  [
    'one of the second case',
    {
      cases: [
        { b: [0], u: [1] },
        { b: [-1e13], u: [0] },
      ],
    },
    /^input\/cases\/1\/b\/0 must be >= -4/,
  ],
  ['a difficulty that is no number', one({ b: ['0', 0, 1] }), /^input\/cases\/0\/b\/0 must be number/],
  [
    'infinity, which JSON reads from 1e999',
    one({ b: [Number.POSITIVE_INFINITY, 0, 1] }),
    /^input\/cases\/0\/b\/0 must be/,
  ],
  ['an answer that is neither right nor wrong', one({ u: [1, 2, 1] }), /^input\/cases\/0\/u\/1/],
  ['lists of unequal length', one({ u: [1, 0] }), /^case 0: b and u differ in length/],
  [
    'a mean of the prior beyond its range',
    one({ prior: { mean: 4.1, sd: 1 } }),
    /^input\/cases\/0\/prior\/mean must be <= 4/,
  ],
  ['a prior without spread', one({ prior: { mean: 0, sd: 0 } }), /^input\/cases\/0\/prior\/sd must be >= 0.3/],
];

for (const [what, input, message] of refused) {
  test(`refused: ${what}`, () =>
    assert.throws(
      () => evaluate(input),
      ({ message: told }: Error) => message.test(told),
    ));
}

test('both ends of the range are difficulties', () => {
  const [ability] = evaluate(one({ b: [-4, 0, 4], u: [1, 1, 0] }));
  assert.ok(ability && ability.theta > 0 && ability.se < 1, JSON.stringify(ability));
});

test('the program ends with one line that names b, and no numbers', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgv('scripts/eval/evaluate.ts'), 'scoring'], {
    ...{ encoding: 'utf8', input: '{"cases":[{"b":[1e308,0,1],"u":[1,0,1]}]}' },
  });
  assert.is(status, 1);
  assert.is(stdout, '');
  assert.match(stderr, /^input\/cases\/0\/b\/0 must be <= 4\n$/);
});

test.run();
