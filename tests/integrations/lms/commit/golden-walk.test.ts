// A school year of rosters, as an administrator lives it: people come, are the same the next day, move, leave, and what a person
// changed here is not overwritten unasked.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser } from '../../../harness/factories.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Roster } from '../sets.ts';
import { reported, rowOf } from '../walk.ts';

const school = useSchool(test, { addresses: ['t1@school.example'] });
const { app, admin } = school;
const { owner } = app.database;
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

const openClasses = async () => {
  const { organizationId } = school.tenant;
  const rows = await owner('enrollment as e')
    .join('external_identity as i', 'i.userId', 'e.studentId')
    .where({ 'e.organizationId': organizationId })
    .whereNull('e.enrolledTo')
    .orderBy('i.subject')
    .select('i.subject', 'e.classId');
  return rows.map(({ subject, classId }) => [subject, classId]);
};

test('a first roster makes people and enrollments; the same one again changes nothing', async () => {
  const id = await school.connect(start);
  const preview = await admin.preview(id);
  assert.equal([preview.state, preview.summary], ['ready', { create: 6, update: 0, conflict: 0, skip: 0 }]);
  assert.is(
    (await owner('app_user').where({ organizationId: school.tenant.organizationId, email: 't1@school.example' }))
      .length,
    0,
  );
  const committed = await admin.commit(preview.previewId);
  assert.equal(
    [committed.status, committed.body],
    [200, { created: 6, updated: 0, skipped: 0, conflicts_remaining: 0 }],
  );
  assert.equal(await openClasses(), [
    ['s1', school.first],
    ['s2', school.first],
  ]);
  const made = await school.userOf('t1');
  assert.equal([made.email, made.primaryPersona, made.passwordHash], ['t1@school.example', 'TEACHER', null]);
  const teaching = await owner('class_teacher').where({ classId: school.first }).first();
  assert.equal([teaching.teacherUserId, teaching.role], [made.id, 'PRIMARY']);
  assert.equal((await admin.commit(preview.previewId)).body, committed.body);
  const next = await admin.preview(id);
  assert.equal(next.summary, { create: 0, update: 0, conflict: 0, skip: 6 });
  assert.ok(reported(next).every((row) => row.endsWith('skip/unchanged')));
});

test('a course may be mapped to another class: its students move there', async () => {
  const id = await school.imported(start);
  await admin.map({ A: school.second });
  const preview = await admin.preview(id);
  // All students of a class leave it at once: a person has to say that this is meant.
  assert.is(rowOf(preview, 's1@A').reasonCode, 'mass_removal');
  await admin.resolveAll(preview.previewId, 'mass_removal', 'accept_lms');
  assert.is((await admin.commit(preview.previewId)).status, 200);
  assert.equal(await openClasses(), [
    ['s1', school.second],
    ['s2', school.second],
  ]);
});

test('a student moves by the roster, and another one leaves by it', async () => {
  const id = await school.imported(start);
  const preview = await school.again(id, {
    ...start,
    enrolled: [
      { course: 'B', person: 's1' },
      { course: 'A', person: 't1', role: 'teacher', primary: 'true' },
    ],
  });
  assert.equal(reported(preview).slice(2), [
    'enrollment s1@A: skip/depends_on_other_row',
    'enrollment s1@B: conflict/mass_removal',
    'enrollment s2@A: conflict/mass_removal',
    'enrollment t1@A: skip/unchanged',
  ]);
  assert.equal(rowOf(preview, 's1@B').changes, [{ field: 'classId', from: school.first, to: school.second }]);
  await admin.resolveAll(preview.previewId, 'mass_removal', 'accept_lms');
  const { body } = await admin.commit(preview.previewId);
  assert.equal(body, { created: 0, updated: 2, skipped: 4, conflicts_remaining: 0 });
  assert.equal(await openClasses(), [['s1', school.second]]);
  assert.is((await school.userOf('s2')).status, 'active');
  const { summary } = await admin.preview(id);
  assert.equal([summary.create, summary.update, summary.conflict], [0, 0, 0]);
});

test('changed there only: updated; here only: kept; on both sides: a conflict, which may go either way', async () => {
  const id = await school.imported(start);
  const renamed = { ...start, people: [{ id: 's1', given: 'هيا' }, { id: 's2', given: 'ريم' }, teacher] };
  const there = await school.again(id, renamed);
  assert.equal(rowOf(there, 's1').changes, [{ field: 'fullNameAr', from: 'نورة العتيبي', to: 'هيا العتيبي' }]);
  await admin.commit(there.previewId);
  const { id: userId } = await school.userOf('s2');
  await owner('app_user').where({ id: userId }).update({ fullNameAr: 'اسم هنا' });
  const here = await school.again(id, renamed);
  assert.is(rowOf(here, 's2').reasonCode, 'kept_local');
  const both = await school.again(id, {
    ...start,
    people: [{ id: 's1', given: 'هيا' }, { id: 's2', given: 'لمى' }, teacher],
  });
  const row = rowOf(both, 's2');
  assert.is(row.reasonCode, 'local_newer');
  const refused = await admin.commit(both.previewId);
  assert.equal([refused.status, refused.body.details], [422, [{ field: `rows.${row.rowId}`, issue: 'local_newer' }]]);
  assert.is((await admin.resolve(both.previewId, row.rowId, 'keep_amal')).status, 200);
  assert.is((await admin.commit(both.previewId)).status, 200);
  assert.is((await school.userOf('s2')).fullNameAr, 'اسم هنا');
  assert.is(rowOf(await admin.preview(id), 's2').reasonCode, 'kept_local');
});

test('a disabled person at the source becomes inactive; a missing address clears nothing', async () => {
  const id = await school.imported(start);
  const preview = await school.again(id, {
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
  assert.equal(
    [(await school.userOf('s1')).status, (await school.userOf('t1')).email],
    ['inactive', 't1@school.example'],
  );
});

test('the address of an active account links it at first; its class is kept', async () => {
  const { organizationId } = school.tenant;
  const known = await buildUser(owner, 'TEACHER', {
    organizationId,
    email: 't1@school.example',
    fullNameAr: 'سلمى العتيبي',
  });
  const id = await school.connect(start);
  const preview = await admin.preview(id);
  const row = rowOf(preview, 't1');
  assert.equal([row.action, row.reasonCode, row.changes], ['update', 'changed', []]);
  await admin.commit(preview.previewId);
  assert.is((await school.userOf('t1')).id, known.id);
});

test.run();
