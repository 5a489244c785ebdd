// Work on a list of which one value may fail.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';

async function* numbers(): AsyncGenerator<number> {
  yield* [1, 2, 3, 4];
}

for (const [name, items] of [
  ['a list', [1, 2, 3, 4]],
  ['what is found meanwhile', numbers()],
] as const) {
  test(`${name}: all have been processed when the first failure is thrown`, async () => {
    const seen: number[] = [];
    const reported: unknown[] = [];
    const work = async (item: number) => {
      seen.push(item);
      if (item % 2 === 0) throw new Error(`no ${item}`);
    };
    const thrown = await eachInTurn(items, work, (error, item) => reported.push([(error as Error).message, item])).then(
      () => undefined,
      (error: Error) => error.message,
    );
    assert.is(thrown, 'no 2');
    assert.equal(seen, [1, 2, 3, 4]);
    assert.equal(reported, [
      ['no 2', 2],
      ['no 4', 4],
    ]);
  });
}

test('without a failure nothing is thrown', async () => {
  assert.is(await eachInTurn([1, 2], async () => {}), undefined);
});

test.run();
