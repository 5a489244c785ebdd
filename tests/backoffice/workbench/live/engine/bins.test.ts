// Bins have ends that people read easily, and there are never more than 60.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { binEnds, binOf } from '#backoffice/workbench/live/engine/bins.ts';

test('shares from 0 to 1 are fifty bins of two hundredths', () => {
  const ends = binEnds(0, 1, false);
  assert.equal(ends.slice(0, 4), [0, 0.02, 0.04, 0.06]);
  assert.equal(ends.slice(-2), [1, 1.02], 'the largest value is below the last end');
});

test('whole numbers have whole ends', () => {
  assert.equal(binEnds(3, 9, true), [3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(binEnds(0, 300, true).slice(0, 3), [0, 10, 20]);
});

test('every value is in one bin, of at most 60', () => {
  for (const [low, high, isWhole] of [
    ...[[0, 0.0001, false] as const, [0.13, 0.97, false] as const, [5, 5, true] as const],
    ...[[0, 59, true] as const, [0, 366, true] as const, [1, 99_999, true] as const, [-3.5, 7.25, false] as const],
  ]) {
    const ends = binEnds(low, high, isWhole);
    assert.ok(ends.length - 1 <= 60, `${low} to ${high}: ${ends.length - 1}`);
    for (let step = 0; step <= 100; step += 1) {
      const value = low + ((high - low) * step) / 100;
      const at = binOf(ends.slice(0, -1), value);
      assert.ok((ends[at] ?? Infinity) <= value && value < (ends[at + 1] ?? -Infinity), `${value} in ${ends[at]}`);
    }
  }
});

test.run();
