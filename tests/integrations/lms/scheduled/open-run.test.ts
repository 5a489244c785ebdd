// A sync whose process died before it wrote: its preview is its own until it has ended, and it always ends.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { buildPreview } from '#integrations/lms/preview/assemble/build.ts';
import { insertPreview } from '#integrations/lms/preview/create.ts';
import { requestRun } from '#integrations/lms/scheduled/rows.ts';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { courses as classes, useSchool } from '../school.ts';
import { type Roster, rosterSet } from '../sets.ts';

const school = useSchool(test);
const { app, admin, owner } = school;

const rosterOf = (...ids: string[]): Roster => ({
  classes,
  people: ids.map((id) => ({ id })),
  enrolled: ids.map((person) => ({ course: 'A', person })),
});

async function asked(connectionId: string): Promise<string> {
  const path = `/api/lms/connections/${connectionId}/sync-now`;
  const { status, body } = await app.post<{ syncRunId: string }>(path, {}, admin.token);
  assert.is(status, 202, JSON.stringify(body));
  return body.syncRunId;
}

const runRow = (id: string) => owner('lms_sync_run').where({ id }).first();
const work = (id: string) => runSync(app.services, { organizationId: school.tenant.organizationId, id });

/** The process has built the preview of one more student, and has ended. */
async function interrupted() {
  const { organizationId, people } = school.tenant;
  const connectionId = await school.imported(rosterOf('s1'));
  await admin.upload(rosterSet(rosterOf('s1', 's2')));
  const runId = await asked(connectionId);
  const connection = { organizationId, id: connectionId, provider: 'oneroster' } as const;
  const order = { connection, courseExternalIds: ['A'], createdBy: people.ADMIN.id, runId };
  const { id: previewId } = await inContext(app.services.db, { organizationId }, (trx) =>
    insertPreview(trx, order, app.clock.now()),
  );
  await owner('lms_sync_run').where({ id: runId }).update({ state: 'running', startedAt: app.clock.now(), previewId });
  await buildPreview(app.services, { organizationId, id: previewId });
  return { connectionId, runId, previewId };
}

test('while its run is open a preview is committed by no one else; then the run writes it', async () => {
  const { runId, previewId } = await interrupted();
  const { status, body } = await admin.commit(previewId);
  assert.equal([status, (body.details as object[])?.[0]], [409, { field: '', issue: 'not_ready' }]);
  assert.is(await school.userOf('s2'), undefined);
  await work(runId);
  const run = await runRow(runId);
  assert.equal([run.state, run.counts], ['succeeded', { created: 2, updated: 0, skipped: 2, conflicts: 0 }]);
  assert.is((await school.userOf('s2')).status, 'active');
});

test('a run whose preview was committed without it ends with drift, and the next one begins', async () => {
  const { connectionId, runId, previewId } = await interrupted();
  const answer = { created: 2, updated: 0, skipped: 2, conflicts_remaining: 0 };
  const committed = { state: 'committed', committedAt: app.clock.now(), answer: JSON.stringify(answer) };
  await owner('lms_preview').where({ id: previewId }).update(committed);
  await work(runId);
  const run = await runRow(runId);
  assert.equal([run.state, run.errorCode, run.counts], ['error', 'drift', null]);
  assert.is.not(await asked(connectionId), runId);
});

test('the last mapping is taken off while a sync waits: it ends with nothing to do', async () => {
  const connectionId = await school.imported(rosterOf('s1'));
  const runId = await asked(connectionId);
  assert.is((await admin.map({ A: null, B: null })).status, 200);
  await work(runId);
  const run = await runRow(runId);
  assert.equal(
    [run.state, run.errorCode, run.counts, run.previewId],
    ['succeeded', null, { created: 0, updated: 0, skipped: 0, conflicts: 0 }, null],
  );
  assert.is((await school.userOf('s1')).status, 'active');
});

test('one that was begun three times and has not ended is begun no more', async () => {
  const runId = await asked(await school.imported(rosterOf('s1')));
  await owner('lms_sync_run').where({ id: runId }).update({ attempts: 3 });
  await work(runId);
  const run = await runRow(runId);
  assert.equal([run.state, run.errorCode, run.counts], ['error', 'internal', null]);
});

test('what a sync writes that no one asked for is recorded under who connected', async () => {
  const { organizationId, people } = school.tenant;
  const id = await school.imported(rosterOf('s1'));
  await admin.upload(rosterSet(rosterOf('s1', 's2')));
  await owner('lms_connection').where({ id }).update({ connectedBy: people.MANAGER.id });
  const connection = await owner('lms_connection').where({ id }).first();
  const runId = await inContext(app.services.db, { organizationId }, (trx) =>
    requestRun(trx, connection, null, app.clock.now()),
  );
  await work(runId);
  assert.is((await runRow(runId)).state, 'succeeded');
  const entries = await owner('audit_entry').where({ organizationId, requestId: runId });
  assert.ok(entries.length > 0);
  assert.equal([...new Set(entries.map(({ actorUserId }) => actorUserId))], [people.MANAGER.id]);
});

test.run();
