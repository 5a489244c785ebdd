// Of a sync that changes something, or leaves something to decide, those rows are kept and no others; and what is decided later
// still finds the families that it needs.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { buildClass, buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';
import { type Person, rosterSet } from '../sets.ts';
import { RosterAdmin } from '../walk.ts';

const app = useApp(test, { rules: true, settings: { LMS_GUARDIAN_IMPORT_ENABLED: 'true' } });
const { owner } = app.database;
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
let tenant: Tenant;
let classId = 0;

test.before.each(async () => {
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  classId = (await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 })).id;
});

const setOf = (people: readonly Person[]) =>
  rosterSet({
    classes: [{ id: 'A', title: 'الأول' }],
    people,
    enrolled: people.filter(({ role }) => role === undefined).map(({ id: person }) => ({ course: 'A', person })),
  });

async function imported(people: readonly Person[]): Promise<string> {
  const { body } = await admin.upload(setOf(people));
  await admin.map({ A: classId });
  const { status } = await admin.commit((await admin.preview(body.id)).previewId);
  assert.is(status, 200);
  return body.id;
}

async function synced(connectionId: string, people: readonly Person[]) {
  const { organizationId } = tenant;
  assert.is((await admin.upload(setOf(people))).status, 200);
  const path = `/api/lms/connections/${connectionId}/sync-now`;
  const { body } = await app.post<{ syncRunId: string }>(path, {}, admin.token);
  await runSync(app.services, { organizationId, id: body.syncRunId });
  return owner('lms_sync_run').where({ organizationId, id: body.syncRunId }).first();
}

const students = Array.from({ length: 10 }, (_, at): Person => ({ id: `s${at}` }));
const guardianMail = () => `g-${classId}@example.com`;
const reported = (rows: Awaited<ReturnType<typeof admin.read>>['rows']) =>
  rows.map(({ entity, action, reasonCode }) => [entity, action, reasonCode]);

async function childrenOf(subject: string): Promise<string[]> {
  const rows = await owner('external_identity as g')
    .where({ 'g.organizationId': tenant.organizationId, 'g.subject': subject })
    .join('parent_student as f', 'f.parentUserId', 'g.userId')
    .join('external_identity as c', 'c.userId', 'f.studentId')
    .orderBy('c.subject')
    .select('c.subject');
  return rows.map((row) => row.subject);
}

test('what was changed is kept as it was written; rows that came to nothing are counted and gone', async () => {
  const id = await imported(students);
  const renamed = students.map((one) => (one.id === 's3' ? { ...one, given: 'ريم' } : one));
  const run = await synced(id, [...renamed, { id: 'new' }]);
  assert.equal([run.state, run.counts], ['succeeded', { created: 2, updated: 1, skipped: 19, conflicts: 0 }]);
  const preview = await admin.read(run.previewId);
  assert.equal([preview.state, preview.summary], ['committed', { create: 2, update: 1, conflict: 0, skip: 0 }]);
  assert.equal(reported(preview.rows), [
    ['student', 'create', 'new_person'],
    ['student', 'update', 'changed'],
    ['enrollment', 'create', 'new_enrollment'],
  ]);
});

test('what waits for a decision is kept with what hangs on it and what was written beside it, and committed later', async () => {
  const other = await buildUser(owner, 'PARENT', { organizationId: tenant.organizationId });
  const id = await imported(students);
  const run = await synced(id, [...students, { id: 'fresh' }, { id: 'late', email: other.email ?? '' }]);
  assert.equal([run.state, run.counts], ['partial', { created: 2, updated: 0, skipped: 21, conflicts: 1 }]);
  const preview = await admin.read(run.previewId);
  assert.equal([preview.state, preview.summary], ['ready', { create: 1, update: 0, conflict: 1, skip: 2 }]);
  assert.equal(reported(preview.rows), [
    ['student', 'skip', 'unchanged'],
    ['student', 'conflict', 'email_belongs_to_other_persona'],
    ['enrollment', 'skip', 'unchanged'],
    ['enrollment', 'create', 'new_enrollment'],
  ]);
  await admin.resolveAll(preview.previewId, 'email_belongs_to_other_persona', 'accept_lms');
  const { status, body } = await admin.commit(preview.previewId);
  assert.equal([status, body], [200, { created: 2, updated: 0, skipped: 2, conflicts_remaining: 0 }]);
});

test('who has left by a sync stands in no class any more, also in the rows that are kept', async () => {
  const other = await buildUser(owner, 'PARENT', { organizationId: tenant.organizationId });
  const id = await imported(students);
  const run = await synced(id, [...students.slice(1), { id: 'late', email: other.email ?? '' }]);
  assert.equal([run.state, run.counts.updated], ['partial', 1]);
  const { rows } = await admin.read(run.previewId);
  const left = rows.filter(({ external }) => 'personExternalId' in external && external.personExternalId === 's0');
  assert.equal(
    left.map(({ action, reasonCode, local }) => [action, reasonCode, local]),
    [['skip', 'unchanged', null]],
  );
});

test('a guardian who is decided later gets the children who were there all the time', async () => {
  const guardian = { id: 'g', role: 'guardian', email: guardianMail(), agents: 's1' };
  const id = await imported([...students, guardian]);
  await owner('app_user').where({ email: guardianMail() }).update({ fullNameAr: 'هند' });
  const run = await synced(id, [...students, { ...guardian, given: 'ريم', agents: '"s1,s2"' }]);
  assert.equal([run.state, run.counts.conflicts], ['partial', 1]);
  assert.equal(await childrenOf('g'), ['s1']);
  await admin.resolveAll(run.previewId, 'local_newer', 'accept_lms');
  assert.is((await admin.commit(run.previewId)).status, 200);
  assert.equal(await childrenOf('g'), ['s1', 's2']);
});

test('a child who is decided later is linked to the guardian of whom nothing changes', async () => {
  const other = await buildUser(owner, 'PARENT', { organizationId: tenant.organizationId });
  const guardian = { id: 'g', role: 'guardian', email: guardianMail(), agents: 's1' };
  const id = await imported([...students, guardian]);
  const late = { id: 'late', email: other.email ?? '' };
  const run = await synced(id, [...students, late, { ...guardian, agents: '"s1,late"' }]);
  assert.is(run.state, 'partial');
  await admin.resolveAll(run.previewId, 'email_belongs_to_other_persona', 'accept_lms');
  assert.is((await admin.commit(run.previewId)).status, 200);
  assert.equal(await childrenOf('g'), ['late', 's1']);
});

test.run();
