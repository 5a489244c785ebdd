// Who has signed in with Google before Classroom was imported is one person for ever: the import makes the link its own, which
// another address does not end.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { findLinkedAccount } from '#identity/people/google/external-identity.ts';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { useApp } from '../../../../harness/http.ts';
import { startGoogle } from '../../../../harness/lms/google.ts';
import { differencesOf, snapshotOf } from '../../runs/snapshots.ts';
import { rowOf } from '../../walk.ts';
import { classroomSettings, classrooms, member, type School } from './classrooms.ts';

const google = await startGoogle();
test.after(() => google.close());
const app = useApp(test, { rules: true, settings: classroomSettings(google) });
const { owner } = app.database;
const { says, connected } = classrooms(app, google);

const subject = 't-7';
let school: School;
let [teacherId, email] = [0, ''];
test.before.each(async () => {
  await owner('external_identity').where({ provider: 'google' }).delete();
  says([]);
  school = await connected();
  const { TEACHER } = school.tenant.people;
  [teacherId, email] = [TEACHER.id, TEACHER.email ?? ''];
  assert.is(await signsIn(email), teacherId);
  says([member('u-1')], [member(subject, email)]);
});

/** Whose account the Google account with this address is, or what the sign-in is refused with. */
const signsIn = (address: string): Promise<number | string> =>
  inContext(app.services.db, 'SUPER', async (trx) => {
    const identity = { subject, email: address, hostedDomain: undefined };
    return (await findLinkedAccount(trx, identity, app.clock.now())).id;
  }).catch((error: unknown) => {
    if (error instanceof AppError) return error.code;
    throw error;
  });

const link = () => owner('external_identity').where({ provider: 'google', subject }).first('userId', 'byEmail');
const teachers = () =>
  owner('app_user').where({ organizationId: school.tenant.organizationId, primaryPersona: 'TEACHER' }).pluck('id');

async function commit(): Promise<string> {
  const { previewId } = await school.admin.preview(school.connectionId);
  const { status, body } = await school.admin.commit(previewId);
  assert.is(status, 200, JSON.stringify(body));
  return previewId;
}

async function revert(previewId: string): Promise<void> {
  const run = await owner('lms_sync_run').where({ previewId, trigger: 'commit' }).first('id');
  const { status, body } = await app.post(`/api/lms/sync-runs/${run.id}/revert`, {}, school.admin.token);
  assert.is(status, 200, JSON.stringify(body));
}

async function sync() {
  const { organizationId } = school.tenant;
  const path = `/api/lms/connections/${school.connectionId}/sync-now`;
  const { body } = await app.post<{ syncRunId: string }>(path, {}, school.admin.token);
  await runSync(app.services, { organizationId, id: body.syncRunId });
  return owner('lms_sync_run').where({ organizationId, id: body.syncRunId }).first();
}

async function renamedByAdministrator(): Promise<void> {
  const path = `/api/users/${teacherId}`;
  assert.is((await app.patch(path, { email: `${newId()}@school.example` }, school.admin.token)).status, 200);
}

test('a new address by an administrator after the import leaves one account, known to both', async () => {
  const before = await teachers();
  await commit();
  assert.equal(await link(), { userId: teacherId, byEmail: false });
  await renamedByAdministrator();
  const { reasonCode, local } = rowOf(await school.admin.preview(school.connectionId), subject);
  assert.equal([reasonCode, (local as { userId: number }).userId], ['kept_local', teacherId]);
  await commit();
  assert.equal([await teachers(), await signsIn(email)], [before, teacherId]);
});

test('an address that Classroom itself has given another stays with the link', async () => {
  await commit();
  await owner('external_identity').where({ subject }).update({ byEmail: true });
  const other = `${newId()}@school.example`;
  says([member('u-1')], [member(subject, other)]);
  await commit();
  assert.equal([await link(), await signsIn(other)], [{ userId: teacherId, byEmail: false }, teacherId]);
});

test('whom imports know already is taken over without a question, by the next sync, and once', async () => {
  await commit();
  await owner('external_identity').where({ subject }).update({ byEmail: true });
  assert.is(rowOf(await school.admin.preview(school.connectionId), subject).reasonCode, 'unchanged');
  const first = await sync();
  assert.equal([first.state, first.counts.updated, first.counts.conflicts], ['succeeded', 0, 0]);
  assert.equal(await link(), { userId: teacherId, byEmail: false });
  assert.is((await sync()).previewId, null);
});

for (const [what, known] of [
  ['first', false],
  ['later', true],
] as const) {
  test(`a ${what} commit that was taken back leaves the link to the sign-in`, async () => {
    if (known) {
      await commit();
      await owner('external_identity').where({ subject }).update({ byEmail: true });
      says([member('u-1'), member('u-2')], [member(subject, email)]);
    }
    const { organizationId } = school.tenant;
    const before = await snapshotOf(owner, organizationId);
    const previewId = await commit();
    assert.is((await link()).byEmail, false);
    await revert(previewId);
    const { external_identity: left } = differencesOf(before, await snapshotOf(owner, organizationId));
    assert.is(left, undefined);
    assert.equal(await link(), { userId: teacherId, byEmail: true });
    await renamedByAdministrator();
    assert.is(await link(), undefined);
  });
}

test.run();
