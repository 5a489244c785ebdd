// timeout: 120s
// Threads return in any order and work at once; one that dies, runs out of memory or loops fails its task,
// and the next task gets another thread.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isDatabaseDown } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { startWorkerPool } from '#core/platform/process/worker-pool.ts';

const test = suite('threads');
const program = 'tests/core/platform/process/worker.ts';
const pool = startWorkerPool({ program, data: { from: 'the test' }, count: 2 });
test.after(() => pool.stop());

const thrownBy = (asked: Promise<unknown>): Promise<Error> =>
  asked.then(
    () => assert.unreachable() as never,
    (error: Error) => error,
  );

test('the result is that of the task, with the data of the thread', async () => {
  const answer = await pool.run('echo', { deep: [1, 'a', null] });
  assert.equal(answer, { question: { deep: [1, 'a', null] }, given: { from: 'the test' } });
});

test('concurrent tasks use all threads, and each gets its result', async () => {
  const ids = (await Promise.all(Array.from({ length: 9 }, () => pool.run('which', 20)))) as number[];
  assert.is(ids.length, 9);
  assert.is(new Set(ids).size, 2);
});

test('an error keeps its code and details, and the code of the database', async () => {
  const refusal = await thrownBy(pool.run('refuse', null));
  assert.instance(refusal, AppError);
  const { code, status, details, message } = refusal as AppError;
  assert.equal([code, status, message], ['CONFLICT', 409, 'It is taken.']);
  assert.equal(details, [{ field: 'place', issue: 'taken' }]);
  const failure = await thrownBy(pool.run('fail', null));
  assert.equal([failure.name, failure.message, isDatabaseDown(failure)], ['RangeError', 'too far', true]);
  assert.match((await thrownBy(pool.run('nothing', null))).message, 'no task nothing');
});

for (const name of ['die', 'swell'] as const) {
  test(`${name}: its caller gets the error, others and the next task get their results`, async () => {
    const [lost, other] = await Promise.allSettled([pool.run(name, null), pool.run('which', 50)]);
    assert.match(String(lost.status === 'rejected' && lost.reason), `a thread ended while it worked at ${name}`);
    assert.is(other.status, 'fulfilled');
    assert.type(await pool.run('which', 0), 'number');
  });
}

test('spin: a thread that never returns is ended after the timeout', async () => {
  const impatient = startWorkerPool({ program, data: null, count: 1, timeoutMs: 6_000 });
  const error = await thrownBy(impatient.run('spin', null));
  assert.match(error.message, 'no answer within 6000 ms');
  assert.type(await impatient.run('which', 0), 'number');
  await impatient.stop();
});

test('an idle thread ends after a while, and stopping ends all threads and waiting tasks', async () => {
  const brief = startWorkerPool({ program, data: null, count: 1, idleMs: 50 });
  const first = await brief.run('which', 0);
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.is.not(await brief.run('which', 0), first, 'another thread');
  const asked = [60_000, 60_000, 0].map((ms) => thrownBy(brief.run('which', ms)));
  await brief.stop();
  const messages = (await Promise.all(asked)).map(({ message }) => message);
  assert.equal(messages, [
    'a thread ended while it worked at which: it was ended',
    'a thread ended while it worked at which: it was ended',
    'the threads end before which began',
  ]);
});

test.run();
