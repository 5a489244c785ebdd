// Batches: a batch that begins after a call serves it, and a failure concerns the calls of its batch alone.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Batcher } from '#core/platform/pure/batcher.ts';

interface Piece {
  readonly questions: readonly string[];
  readonly end: (answers?: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

/** The batches as they begin, ended by the test. */
function pieces(limits: Partial<ConstructorParameters<typeof Batcher>[1]> = {}) {
  const begun: Piece[] = [];
  const batcher = new Batcher<string, string>(
    (questions) =>
      new Promise((resolve, reject) => {
        const answers = questions.map((question) => question.toUpperCase());
        begun.push({ questions, end: (given = answers) => resolve(given), fail: reject });
      }),
    { intervalMs: 0, maxSize: 10, concurrency: 1, ...limits },
  );
  return { begun, batcher };
}

const aMoment = () => new Promise((resolve) => setTimeout(resolve, 15));

test('concurrent calls are one batch; a later one waits for the next', async () => {
  const { begun, batcher } = pieces();
  const first = Promise.all([batcher.run('a'), batcher.run('b')]);
  await aMoment();
  const later = batcher.run('c');
  await aMoment();
  assert.equal(
    begun.map(({ questions }) => questions),
    [['a', 'b']],
    'a running batch does not get the third call',
  );
  begun[0]?.end();
  assert.equal(await first, ['A', 'B']);
  await aMoment();
  assert.equal(begun[1]?.questions, ['c']);
  begun[1]?.end();
  assert.is(await later, 'C');
});

test('a long batch does not delay the next, up to the concurrency', async () => {
  const { begun, batcher } = pieces({ concurrency: 2 });
  const slow = batcher.run('a');
  await aMoment();
  const quick = batcher.run('b');
  await aMoment();
  const third = batcher.run('c');
  await aMoment();
  assert.is(begun.length, 2);
  begun[1]?.end();
  assert.is(await quick, 'B');
  await aMoment();
  begun[2]?.end();
  begun[0]?.end();
  assert.equal([await slow, await third], ['A', 'C']);
});

test('batches respect their interval and their size', async () => {
  const { begun, batcher } = pieces({ intervalMs: 40, maxSize: 2, concurrency: 9 });
  const all = Promise.all(['a', 'b', 'c'].map((one) => batcher.run(one)));
  await aMoment();
  assert.equal(
    begun.map(({ questions }) => questions),
    [['a', 'b']],
  );
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(begun[1]?.questions, ['c']);
  for (const { end } of begun) end();
  assert.equal(await all, ['A', 'B', 'C']);
});

test('a failed batch fails its calls, and so does one without a result for a call', async () => {
  const { begun, batcher } = pieces();
  const failed = Promise.allSettled([batcher.run('a'), batcher.run('b')]);
  await aMoment();
  begun[0]?.fail(new Error('down'));
  assert.equal(
    (await failed).map((one) => one.status === 'rejected' && String(one.reason)),
    ['Error: down', 'Error: down'],
  );
  const left = batcher.run('c').catch(String);
  await aMoment();
  begun[1]?.end([]);
  assert.match(await left, 'not every question was answered');
  const again = batcher.run('d');
  await aMoment();
  begun[2]?.end();
  assert.is(await again, 'D');
});

test.run();
