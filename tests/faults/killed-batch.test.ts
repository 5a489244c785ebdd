// timeout: 150s
// A worker is killed while it prints the letters of a class: another one completes the file within a minute, and only
// once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pageCount, readsPages } from '../core/platform/pdf/pdf-text.ts';
import { buildStudent } from '../harness/factories.ts';
import { useClassroom } from '../support/interventions/classroom.ts';
import { eventually, startWorker } from './world.ts';

const test = suite('killed batch of letters');
const classroom = useClassroom(test);
const { app, http } = classroom;
const { owner } = app.database;
const size = 60;
/** Contract 70 §6. */
const againWithinMs = 60_000;
const timeoutMs = 60_000;

const jobRow = (id: string): Promise<{ state: string; done: number; total: number; attempts: number }> =>
  owner('report_job').where({ id }).first('state', 'done', 'total', 'attempts');

readsPages(test)('kill -9 at half of a batch: one file with every letter once', async () => {
  // The workers use the machine's clock, and their daily purge would remove jobs that are half a year old.
  app.clock.set(new Date());
  const room = await classroom.room();
  for (let at = 0; at < size; at++) await buildStudent(owner, room.classRow, { fullNameAr: `هند ${at} القحطاني` });
  const asked = await http.post<{ batchId: string }>(
    '/api/parent/pdf-batches',
    { classId: room.classRow.id },
    { token: room.token },
  );
  assert.is(asked.status, 202, JSON.stringify(asked.body));
  const { batchId } = asked.body;
  const first = await startWorker(app.database, undefined);
  await eventually('letters are in progress', timeoutMs, async () => (await jobRow(batchId)).done > 0);
  // The next update of the progress waits for this row, and so does the rest of the letters.
  const blocker = await owner.transaction();
  try {
    await blocker('report_job').where({ id: batchId }).forUpdate().first();
    await first.kill();
  } finally {
    await blocker.rollback();
  }
  const killedAt = Date.now();
  const left = await jobRow(batchId);
  assert.equal([left.state, left.total, left.attempts], ['running', size, 1]);
  assert.ok(left.done > 0 && left.done < size, `${left.done} of ${size}`);
  assert.equal(await owner('report_file').where({ jobId: batchId }), []);
  const second = await startWorker(app.database, undefined);
  try {
    await eventually('another worker has made it', againWithinMs, async () => (await jobRow(batchId)).state === 'done');
    assert.ok(Date.now() - killedAt <= againWithinMs, `${Date.now() - killedAt} ms`);
  } finally {
    await second.stop();
  }
  const files: { bytes: Buffer }[] = await owner('report_file').where({ jobId: batchId });
  assert.is(files.length, 1);
  assert.is(pageCount(files[0]?.bytes ?? Buffer.alloc(0)), 2 * size - 1);
  assert.equal(await owner('report_file_student').where({ jobId: batchId }).count('* as n').first(), { n: size });
  assert.is((await jobRow(batchId)).attempts, 2);
});

test.run();
