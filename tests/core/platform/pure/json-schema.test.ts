// A file that is not what it should be is refused in one line that names it, however much of it is wrong.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { shapeOf } from '#core/platform/pure/json-schema.ts';

const numbers = shapeOf<number[]>({ type: 'array', items: { type: 'number' } });

test('a file of the right shape is answered as it is', () => {
  const value = [1, 2];
  assert.is(numbers(value, 'numbers.json'), value);
});

test('what is wrong is told with its place, and only the first of many', () => {
  const wrong = Array.from({ length: 500 }, (_, at) => (at === 0 ? 1 : 'x'));
  assert.throws(
    () => numbers(wrong, 'numbers.json'),
    (error: Error) =>
      error instanceof RangeError &&
      error.message === 'numbers.json: data/1 must be number, data/2 must be number, data/3 must be number',
  );
});

test.run();
