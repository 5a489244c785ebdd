// timeout: 240s
// New rules for a whole organization: all workers take pieces of the work. One worker is killed and one is stopped. The
// others continue where those were, and no student is evaluated twice.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { useDatabase } from '../harness/database.ts';
import { buildClass } from '../harness/factories.ts';
import { installShippedRules } from '../harness/rules.ts';
import { activateInPieces, buildStudents, pieces } from './pieces.ts';
import { eventually, startWorker } from './world.ts';

const test = suite('a recompute that several workers share');
const database = useDatabase(test);
const { owner } = database;
const timeoutMs = 90_000;
const students = 900;
const pieceSize = 180;
/** Drain time of a process that is stopped while the machine is busy. */
const drainMs = 10_000;

const running = async () =>
  (await pieces(owner)).filter(({ state, heldUntil }) => state === 'running' && heldUntil !== null);
const countDone = async () => (await pieces(owner)).reduce((sum, { done }) => sum + done, 0);

test('two workers share it, one is killed, one is stopped, and a third one completes it', async () => {
  await installShippedRules(owner);
  const { organizationId, id: classId } = await buildClass(owner, { grade: 2 });
  await buildStudents(owner, { organizationId, classId, count: students });
  // Both run before there is work. Otherwise one might finish before the other starts.
  const [first, second] = [await startWorker(database, undefined), await startWorker(database, undefined)];
  const bundleId = await activateInPieces(owner, pieceSize);
  assert.is((await pieces(owner)).length, students / pieceSize);
  await eventually('both workers run a piece', timeoutMs, async () => (await running()).length === 2);
  await first.kill();
  const killedAt = await countDone();
  assert.ok(killedAt < students, `killed after ${killedAt}`);
  await eventually('the other worker continues', timeoutMs, async () => (await countDone()) > killedAt);
  const stoppedAt = performance.now();
  await second.stop();
  const drained = performance.now() - stoppedAt;
  assert.ok(drained < drainMs, `gone after ${drained} ms`);
  const left = await pieces(owner);
  const idle = left.filter(({ state, heldUntil }) => state === 'running' && heldUntil === null);
  assert.is(idle.length, left.some(({ state }) => state === 'queued') ? 1 : idle.length, 'released between two steps');
  assert.ok(
    left.some(({ state }) => state !== 'done'),
    'stopped before the end',
  );
  const third = await startWorker(database, undefined);
  try {
    await eventually('all pieces are done', timeoutMs, async () =>
      (await pieces(owner)).every(({ state }) => state === 'done'),
    );
  } finally {
    await third.stop();
  }
  assert.is(await countDone(), students);
  await inContext(owner, 'SUPER', async (trx) => {
    const recomputed = await trx('sse_recompute_request').where({ judgedBundleId: bundleId }).count('* as n').first();
    assert.is(Number(recomputed?.n), students);
    const twice = await trx('sse_run').groupBy('studentId').havingRaw('count(*) > 1').select('studentId');
    assert.equal(twice, []);
  });
});

test.run();
