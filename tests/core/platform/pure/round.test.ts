// Expected values are computed by hand from "half away from zero, 4 decimals, −0 becomes 0".
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { round4, roundHalfAway } from '#core/platform/pure/round.ts';

const cases: readonly (readonly [number, number])[] = [
  [1.00005, 1.0001],
  [-1.00005, -1.0001],
  [1.00004999, 1],
  [2.67495, 2.675],
  [0.00005, 0.0001],
  [-0.00005, -0.0001],
  [0.1 + 0.2, 0.3],
  [1.23456789, 1.2346],
  [123456789.12345, 123456789.1235],
  [1e21, 1e21],
  [1e-7, 0],
  [5e-324, 0],
];

for (const [value, expected] of cases) {
  test(`round4(${value}) is ${expected}`, () => assert.is(round4(value), expected));
}

test('round4 never gives −0', () => {
  for (const value of [-0, -0.00004, -1e-9, -5e-324]) assert.ok(Object.is(round4(value), 0), String(value));
});

test('a half goes away from zero at any number of decimals', () => {
  assert.is(roundHalfAway(2.5, 0), 3);
  assert.is(roundHalfAway(-2.5, 0), -3);
  assert.is(roundHalfAway(1.005, 2), 1.01);
  assert.is(roundHalfAway(0.125, 2), 0.13);
});

test('what is not a finite number cannot be rounded', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assert.throws(
      () => round4(value),
      (error: unknown) => error instanceof RangeError,
    );
  }
});

test('round4 is symmetric, stable when repeated, and moves a value by half a unit at most', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
      const rounded = round4(value);
      assert.ok(Math.abs(rounded - value) <= 0.00005 + 1e-9);
      assert.is(round4(rounded), rounded);
      assert.ok(rounded === -round4(-value));
    }),
  );
});

test.run();
