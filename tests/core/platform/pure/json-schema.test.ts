// An invalid file is refused with one line that names it, however many faults it has.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { shapeOf } from '#core/platform/pure/json-schema.ts';

const numbers = shapeOf<number[]>({ type: 'array', items: { type: 'number' } });

test('a valid file is returned unchanged', () => {
  const value = [1, 2];
  assert.is(numbers(value, 'numbers.json'), value);
});

test('the first of several faults is reported with its path', () => {
  const wrong = Array.from({ length: 500 }, (_, at) => (at === 0 ? 1 : 'x'));
  assert.throws(
    () => numbers(wrong, 'numbers.json'),
    (error: Error) =>
      error instanceof RangeError &&
      error.message === 'numbers.json: data/1 must be number, data/2 must be number, data/3 must be number',
  );
});

test.run();
