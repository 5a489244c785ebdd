// timeout: 180s
// waits: for the lease of a worker that was killed.
// A process is killed while it writes a roster: no row is written, and the next process writes it once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { buildClass } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant } from '../../harness/world.ts';
import { rosterSet } from '../../integrations/lms/sets.ts';
import { RosterAdmin } from '../../integrations/lms/walk.ts';
import { eventually, startWorker, type WorkerProcess } from '../world.ts';
import { whileWaitingFor } from './waiting.ts';

const test = suite('killed sync');
const app = useApp(test, { rules: true });
const { owner } = app.database;
/** The lease of a killed worker expires after thirty seconds. */
const timeoutMs = 90_000;

/** The process uses the machine's clock, by which a file uploaded in January would be too old. */
test.before(() => app.clock.set(new Date()));

const rowsIn = (table: string, where: object = {}) => inContext(owner, 'SUPER', (trx) => trx(table).where(where));

async function connected() {
  const tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  const { id: classId } = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
  const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
  const people = Array.from({ length: 40 }, (_, at) => ({ id: `s${at}` }));
  const enrolled = people.map(({ id: person }) => ({ course: 'A', person }));
  const { body } = await admin.upload(rosterSet({ classes: [{ id: 'A', title: 'الأول' }], people, enrolled }));
  await admin.map({ A: classId });
  return { organizationId, classId, admin, connectionId: body.id };
}

/** Kills the worker while it waits for a lock on a table that it writes late. */
async function killAt(table: string): Promise<void> {
  let worker: WorkerProcess | undefined;
  await whileWaitingFor(owner, table, {
    timeoutMs,
    begin: async () => {
      worker = await startWorker(app.database, undefined);
    },
    work: async () => worker?.kill(),
  });
}

test('kill -9 while a due sync is written: no row stays; another worker completes the same run once', async () => {
  const { organizationId, classId, connectionId } = await connected();
  await owner('lms_connection').where({ organizationId, id: connectionId }).update({ nextRunAt: new Date() });
  await killAt('external_identity');
  assert.equal(await rowsIn('enrollment', { classId }), []);
  for (const table of ['lms_person', 'lms_enrollment', 'lms_change', 'external_identity']) {
    assert.equal(await rowsIn(table, { organizationId }), [], table);
  }
  const [left, ...others] = await rowsIn('lms_sync_run', { organizationId });
  assert.equal([left.state, left.trigger, left.counts, others], ['running', 'scheduled', null, []]);
  const next = await startWorker(app.database, undefined);
  try {
    await eventually('the run has ended', timeoutMs, async () => {
      const [run] = await rowsIn('lms_sync_run', { organizationId });
      return run.endedAt !== null;
    });
  } finally {
    await next.stop();
  }
  const runs = await rowsIn('lms_sync_run', { organizationId });
  assert.equal(
    runs.map(({ id, state, counts }) => [id, state, counts]),
    [[left.id, 'succeeded', { created: 80, updated: 0, skipped: 0, conflicts: 0 }]],
  );
  assert.is((await rowsIn('enrollment', { classId })).length, 40);
  assert.is((await rowsIn('lms_change', { organizationId })).length, 80);
});

test('kill -9 while a preview is built: another worker builds it anew, with each row once', async () => {
  const { organizationId, admin, connectionId } = await connected();
  const { body } = await admin.ask(connectionId);
  await killAt('lms_preview_row');
  assert.equal(await rowsIn('lms_preview_row', { organizationId }), []);
  const next = await startWorker(app.database, undefined);
  try {
    await eventually('the preview is ready', timeoutMs, async () => {
      const [preview] = await rowsIn('lms_preview', { organizationId });
      return preview.state === 'ready';
    });
  } finally {
    await next.stop();
  }
  const { rows, summary } = await admin.read(body.previewId);
  assert.equal([rows.length, summary.create], [80, 80]);
});

test.run();
