// Many questions, one piece of work: what begins after a question was asked answers it, and what fails fails for its own.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Batcher } from '#core/platform/pure/batcher.ts';

interface Piece {
  readonly questions: readonly string[];
  readonly end: (answers?: readonly string[]) => void;
  readonly fail: (error: Error) => void;
}

/** Pieces of work as they begin, ended by hand. */
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

test('questions of one moment are one piece; one that comes later waits for the next', async () => {
  const { begun, batcher } = pieces();
  const first = Promise.all([batcher.run('a'), batcher.run('b')]);
  await aMoment();
  const later = batcher.run('c');
  await aMoment();
  assert.equal(
    begun.map(({ questions }) => questions),
    [['a', 'b']],
    'what has begun is not told of the third',
  );
  begun[0]?.end();
  assert.equal(await first, ['A', 'B']);
  await aMoment();
  assert.equal(begun[1]?.questions, ['c']);
  begun[1]?.end();
  assert.is(await later, 'C');
});

test('a piece that takes long does not hold up the next, as far as there may be several', async () => {
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

test('pieces begin no faster than they may, and hold no more than they may', async () => {
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

test('a piece that fails fails for those who asked in it, and so does one that leaves somebody out', async () => {
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
