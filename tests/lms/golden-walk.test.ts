// A school year of rosters, as an administrator lives it: people come, are the same the next day, move, leave, and what somebody
// changed here is not overwritten unasked.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildUser, type ClassRow } from '../support/factories.ts';
import { useApp } from '../support/http.ts';
import { buildTenant, type Tenant } from '../support/world.ts';
import { type Roster, rosterSet } from './sets.ts';
import { RosterAdmin, rowOf, told } from './walk.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;
let [first, second]: ClassRow[] = [];
const admin = new RosterAdmin(app, () => tenant.people.ADMIN);

test.before.each(async () => {
  await owner('sign_in_name').where({ email: 't1@school.example' }).delete();
  tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  first = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
  second = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
});

const classes = [
  { id: 'A', title: 'الأول' },
  { id: 'B', title: 'الثاني' },
];
const teacher = { id: 't1', role: 'teacher', given: 'سلمى', email: 'T1@school.example ' };
const start: Roster = {
  classes,
  people: [{ id: 's1' }, { id: 's2', given: 'ريم' }, teacher],
  enrolled: [
    { course: 'A', person: 's1' },
    { course: 'A', person: 's2' },
    { course: 'A', person: 't1', role: 'teacher', primary: 'true' },
  ],
};

async function connect(roster: Roster): Promise<string> {
  const { body } = await admin.upload(rosterSet(roster));
  await admin.map({ A: first?.id ?? 0, B: second?.id ?? 0 });
  return body.id;
}

async function imported(roster: Roster = start): Promise<string> {
  const id = await connect(roster);
  const { previewId } = await admin.preview(id);
  const { status, body } = await admin.commit(previewId);
  assert.is(status, 200, JSON.stringify(body));
  return id;
}

const again = async (id: string, roster: Roster) => {
  await admin.upload(rosterSet(roster));
  return admin.preview(id);
};

const openClasses = async () => {
  const { organizationId } = tenant;
  const rows = await owner('enrollment as e')
    .join('external_identity as i', 'i.userId', 'e.studentId')
    .where({ 'e.organizationId': organizationId })
    .whereNull('e.enrolledTo')
    .orderBy('i.subject')
    .select('i.subject', 'e.classId');
  return rows.map(({ subject, classId }) => [subject, classId]);
};

const userOf = async (subject: string) => {
  const { organizationId } = tenant;
  const link = await owner('external_identity').where({ organizationId, provider: 'oneroster', subject }).first();
  return owner('app_user').where({ organizationId, id: link.userId }).first();
};

test('a first roster makes people and enrollments; the same one again changes nothing', async () => {
  const id = await connect(start);
  const preview = await admin.preview(id);
  assert.equal([preview.state, preview.summary], ['ready', { create: 6, update: 0, conflict: 0, skip: 0 }]);
  assert.is(
    (await owner('app_user').where({ organizationId: tenant.organizationId, email: 't1@school.example' })).length,
    0,
  );
  const committed = await admin.commit(preview.previewId);
  assert.equal(
    [committed.status, committed.body],
    [200, { created: 6, updated: 0, skipped: 0, conflicts_remaining: 0 }],
  );
  assert.equal(await openClasses(), [
    ['s1', first?.id],
    ['s2', first?.id],
  ]);
  const made = await userOf('t1');
  assert.equal([made.email, made.primaryPersona, made.passwordHash], ['t1@school.example', 'TEACHER', null]);
  const teaching = await owner('class_teacher').where({ classId: first?.id }).first();
  assert.equal([teaching.teacherUserId, teaching.role], [made.id, 'PRIMARY']);
  assert.equal((await admin.commit(preview.previewId)).body, committed.body);
  const next = await admin.preview(id);
  assert.equal(next.summary, { create: 0, update: 0, conflict: 0, skip: 6 });
  assert.ok(told(next).every((row) => row.endsWith('skip/unchanged')));
});

test('a course may be mapped to another class: its students move there', async () => {
  const id = await imported();
  await admin.map({ A: second?.id ?? 0 });
  const preview = await admin.preview(id);
  assert.is(rowOf(preview, 's1@A').reasonCode, 'moved');
  assert.is((await admin.commit(preview.previewId)).status, 200);
  assert.equal(await openClasses(), [
    ['s1', second?.id],
    ['s2', second?.id],
  ]);
});

test('a student moves by the roster, and another one leaves by it', async () => {
  const id = await imported();
  const preview = await again(id, {
    ...start,
    enrolled: [
      { course: 'B', person: 's1' },
      { course: 'A', person: 't1', role: 'teacher', primary: 'true' },
    ],
  });
  assert.equal(told(preview).slice(2), [
    'enrollment s1@A: skip/depends_on_other_row',
    'enrollment s1@B: update/moved',
    'enrollment s2@A: update/ended',
    'enrollment t1@A: skip/unchanged',
  ]);
  assert.equal(rowOf(preview, 's1@B').changes, [{ field: 'classId', from: first?.id, to: second?.id }]);
  const { body } = await admin.commit(preview.previewId);
  assert.equal(body, { created: 0, updated: 2, skipped: 4, conflicts_remaining: 0 });
  assert.equal(await openClasses(), [['s1', second?.id]]);
  assert.is((await userOf('s2')).status, 'active');
  const { summary } = await admin.preview(id);
  assert.equal([summary.create, summary.update, summary.conflict], [0, 0, 0]);
});

test('changed there only: updated; here only: kept; on both sides: a conflict, which may go either way', async () => {
  const id = await imported();
  const renamed = { ...start, people: [{ id: 's1', given: 'هيا' }, { id: 's2', given: 'ريم' }, teacher] };
  const there = await again(id, renamed);
  assert.equal(rowOf(there, 's1').changes, [{ field: 'fullNameAr', from: 'نورة العتيبي', to: 'هيا العتيبي' }]);
  await admin.commit(there.previewId);
  const { id: userId } = await userOf('s2');
  await owner('app_user').where({ id: userId }).update({ fullNameAr: 'اسم هنا' });
  const here = await again(id, renamed);
  assert.is(rowOf(here, 's2').reasonCode, 'kept_local');
  const both = await again(id, { ...start, people: [{ id: 's1', given: 'هيا' }, { id: 's2', given: 'لمى' }, teacher] });
  const row = rowOf(both, 's2');
  assert.is(row.reasonCode, 'local_newer');
  const refused = await admin.commit(both.previewId);
  assert.equal([refused.status, refused.body.details], [422, [{ field: `rows.${row.rowId}`, issue: 'local_newer' }]]);
  assert.is((await admin.resolve(both.previewId, row.rowId, 'keep_amal')).status, 200);
  assert.is((await admin.commit(both.previewId)).status, 200);
  assert.is((await userOf('s2')).fullNameAr, 'اسم هنا');
  assert.is(rowOf(await admin.preview(id), 's2').reasonCode, 'kept_local');
});

test('somebody disabled at the source becomes inactive; a missing address clears nothing', async () => {
  const id = await imported();
  const preview = await again(id, {
    ...start,
    people: [
      { id: 's1', enabled: 'false' },
      { id: 's2', given: 'ريم' },
      { ...teacher, email: '' },
    ],
  });
  assert.equal(rowOf(preview, 's1').changes, [{ field: 'status', from: 'active', to: 'inactive' }]);
  assert.is(rowOf(preview, 't1').reasonCode, 'unchanged');
  await admin.commit(preview.previewId);
  assert.equal([(await userOf('s1')).status, (await userOf('t1')).email], ['inactive', 't1@school.example']);
});

test('the address of an active account links it at first; its class is kept', async () => {
  const { organizationId } = tenant;
  const known = await buildUser(owner, 'TEACHER', {
    organizationId,
    email: 't1@school.example',
    fullNameAr: 'سلمى العتيبي',
  });
  const id = await connect(start);
  const preview = await admin.preview(id);
  const row = rowOf(preview, 't1');
  assert.equal([row.action, row.reasonCode, row.changes], ['update', 'changed', []]);
  await admin.commit(preview.previewId);
  assert.is((await userOf('t1')).id, known.id);
});

test.run();
