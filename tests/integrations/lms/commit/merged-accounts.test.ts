// Rosters and accounts that were merged: an account with several identities, previews from before a merge, and reverts.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { runSync } from '#integrations/lms/scheduled/run.ts';
import { courses as classes, useSchool } from '../school.ts';
import { type Person, type Roster, rosterSet } from '../sets.ts';
import { reported, rowOf } from '../walk.ts';

const school = useSchool(test);
const { app, admin, owner } = school;

type Enrolled = Person & { readonly course?: string | null };

const rosterOf = (people: readonly Enrolled[]): Roster => ({
  classes,
  people: people.map(({ course: _course, ...person }) => ({ role: 'student', ...person })),
  enrolled: people.flatMap(({ id, course = 'A' }) =>
    course === null ? [] : [{ course, person: id, role: 'student' }],
  ),
});

/** Two ids of one child, both imported, and the accounts merged: `two` into `one`. */
async function mergedPair(one: Partial<Enrolled> = {}, two: Partial<Enrolled> = {}) {
  const id = await school.imported(
    rosterOf([
      { id: 'one', given: 'سلمى', ...one },
      { id: 'two', given: 'سلمي', ...two },
    ]),
  );
  const [into, from] = [await school.userOf('one'), await school.userOf('two')];
  const body = { intoStudentId: into.id, reasonCode: 'duplicate_account' };
  const merged = await app.post<{ mergeId: number }>(`/api/students/${from.id}/merge`, body, admin.token);
  assert.is(merged.status, 201, JSON.stringify(merged.body));
  return { connection: id, into, from, mergeId: merged.body.mergeId };
}

const statusOf = async (id: number) => (await owner('app_user').where({ id }).first()).status;
const nameOf = async (id: number) => (await owner('app_user').where({ id }).first()).fullNameAr;

async function commitRoster(connection: string, people: readonly Enrolled[]): Promise<string[]> {
  const preview = await school.again(connection, rosterOf(people));
  await school.commitPreview(preview.previewId);
  return reported(preview);
}

test('both identities are the other account’s, and the same roster changes nothing', async () => {
  const { connection, into } = await mergedPair();
  assert.is((await school.userOf('two')).id, into.id);
  const rows = await commitRoster(connection, [
    { id: 'one', given: 'سلمى' },
    { id: 'two', given: 'سلمي' },
  ]);
  assert.equal(rows, [
    'student one: skip/unchanged',
    'student two: skip/unchanged',
    'enrollment one@A: skip/unchanged',
    'enrollment two@A: skip/unchanged',
  ]);
  assert.is(await nameOf(into.id), into.fullNameAr);
});

test('the account is inactive when all of its identities are', async () => {
  const { connection, into, from } = await mergedPair();
  await commitRoster(connection, [
    { id: 'one', given: 'سلمى', enabled: 'false' },
    { id: 'two', given: 'سلمي' },
  ]);
  assert.is(await statusOf(into.id), 'active');
  await commitRoster(connection, [
    { id: 'one', given: 'سلمى', enabled: 'false' },
    { id: 'two', given: 'سلمي', enabled: 'false' },
  ]);
  assert.is(await statusOf(into.id), 'inactive');
  await commitRoster(connection, [
    { id: 'one', given: 'سلمى', enabled: 'false' },
    { id: 'two', given: 'سلمي' },
  ]);
  assert.is(await statusOf(into.id), 'active');
  assert.is(await statusOf(from.id), 'merged');
});

test('name and address follow the first identity that is active', async () => {
  const [first, second] = [`${newId()}@school.example`, `${newId()}@school.example`];
  const { connection, into } = await mergedPair({ email: first }, { email: second });
  const account = () => owner('app_user').where({ id: into.id }).first();
  const one = { id: 'one', given: 'سلمى', email: first };
  const two = { id: 'two', given: 'سلمي', email: second };
  await commitRoster(connection, [one, { ...two, given: 'ليان' }]);
  assert.equal(
    [(await account()).fullNameAr, (await account()).email],
    [into.fullNameAr, first],
    'the second one is not asked',
  );
  await commitRoster(connection, [
    { ...one, given: 'سلمى الكبيرة' },
    { ...two, given: 'ليان' },
  ]);
  assert.match((await account()).fullNameAr, 'الكبيرة');
  await commitRoster(connection, [
    { ...one, given: 'سلمى الكبيرة', enabled: 'false' },
    { ...two, given: 'ليان' },
  ]);
  assert.match((await account()).fullNameAr, 'ليان');
  assert.is((await account()).email, second);
  await owner('app_user').where({ id: into.id }).update({ fullNameAr: 'اسم من المدرسة' });
  const preview = await school.again(
    connection,
    rosterOf([
      { ...one, given: 'سلمى الكبيرة', enabled: 'false' },
      { ...two, given: 'ليان الجديدة' },
    ]),
  );
  assert.is(rowOf(preview, 'two').reasonCode, 'local_newer', 'a change on both sides is asked about');
});

test('an enrollment of one identity does not end while the other has it', async () => {
  const { connection, into } = await mergedPair();
  const without = rosterOf([
    { id: 'one', given: 'سلمى', course: null },
    { id: 'two', given: 'سلمي' },
  ]);
  const preview = await school.again(connection, without);
  await school.commitPreview(preview.previewId);
  assert.is(rowOf(preview, 'one@A').reasonCode, 'depends_on_other_row');
  assert.is(await school.openClass(into.id), school.first);
});

test('a new class of both identities is entered once', async () => {
  const { connection, into } = await mergedPair();
  const preview = await school.again(
    connection,
    rosterOf([
      { id: 'one', given: 'سلمى', course: 'B' },
      { id: 'two', given: 'سلمي', course: 'B' },
    ]),
  );
  assert.is(rowOf(preview, 'one@B').reasonCode, 'moved');
  assert.is(rowOf(preview, 'two@B').reasonCode, 'depends_on_other_row');
  await school.commitPreview(preview.previewId);
  assert.is(await school.openClass(into.id), school.second);
});

test('a preview from before the merge has drifted, also where it would only enroll', async () => {
  const connection = await school.imported(
    rosterOf([
      { id: 'one', given: 'سلمى' },
      { id: 'two', given: 'سلمي' },
    ]),
  );
  const [into, from] = [await school.userOf('one'), await school.userOf('two')];
  assert.is((await app.delete(`/api/classes/${school.first}/students/${from.id}`, admin.token)).status, 204);
  const preview = await school.again(
    connection,
    rosterOf([
      { id: 'one', given: 'سلمى' },
      { id: 'two', given: 'سلمي', course: 'B' },
    ]),
  );
  assert.is(rowOf(preview, 'two@B').reasonCode, 'new_enrollment');
  const body = { intoStudentId: into.id, reasonCode: 'duplicate_account' };
  assert.is((await app.post(`/api/students/${from.id}/merge`, body, admin.token)).status, 201);
  const { status, body: refusal } = await admin.commit(preview.previewId);
  assert.is(status, 409);
  assert.match(JSON.stringify(refusal), 'drifted');
  assert.is(await school.openClass(from.id), null);
});

test('a merge beside a sync that names both: one comes first, and neither account is in a class twice', async () => {
  const connection = await school.imported(
    rosterOf([
      { id: 'one', given: 'سلمى' },
      { id: 'two', given: 'سلمي' },
    ]),
  );
  const [into, from] = [await school.userOf('one'), await school.userOf('two')];
  await admin.upload(
    rosterSet(
      rosterOf([
        { id: 'one', given: 'سلمى', course: 'B' },
        { id: 'two', given: 'سلمي', course: 'B' },
      ]),
    ),
  );
  const { organizationId } = school.tenant;
  const asked = await app.post<{ syncRunId: string }>(`/api/lms/connections/${connection}/sync-now`, {}, admin.token);
  const body = { intoStudentId: into.id, reasonCode: 'duplicate_account' };
  const [, merged] = await Promise.all([
    runSync(app.services, { organizationId, id: asked.body.syncRunId }),
    app.post(`/api/students/${from.id}/merge`, body, admin.token),
  ]);
  assert.is(merged.status, 201);
  assert.is(await statusOf(from.id), 'merged');
  assert.is(await school.openClass(from.id), null);
  assert.ok([school.first, school.second].includes((await school.openClass(into.id)) ?? 0));
});

test('a revert leaves a merged account as it is', async () => {
  const connection = await school.imported(
    rosterOf([
      { id: 'one', given: 'سلمى' },
      { id: 'two', given: 'سلمي' },
    ]),
  );
  const preview = await school.again(
    connection,
    rosterOf([
      { id: 'one', given: 'سلمى' },
      { id: 'two', given: 'سلمي', course: null },
    ]),
  );
  const runId = await school.commitPreview(preview.previewId);
  const [into, from] = [await school.userOf('one'), await school.userOf('two')];
  const body = { intoStudentId: into.id, reasonCode: 'duplicate_account' };
  assert.is((await app.post(`/api/students/${from.id}/merge`, body, admin.token)).status, 201);
  assert.is((await school.revert(runId)).status, 409);
  assert.is((await school.revert(runId, { skipChanged: true })).status, 200);
  assert.is(await school.openClass(from.id), null);
});

test('an undo gives the identity back, and each account is as before for the roster', async () => {
  const { connection, from, mergeId } = await mergedPair();
  assert.is((await app.post(`/api/student-merges/${mergeId}/undo`, {}, admin.token)).status, 200);
  assert.is((await school.userOf('two')).id, from.id);
  const rows = await commitRoster(connection, [
    { id: 'one', given: 'سلمى' },
    { id: 'two', given: 'سلمي' },
  ]);
  assert.equal(rows, [
    'student one: skip/unchanged',
    'student two: skip/unchanged',
    'enrollment one@A: skip/unchanged',
    'enrollment two@A: skip/unchanged',
  ]);
});

test('a preview hints at students of the same folded name and grade', async () => {
  const connection = await school.imported(rosterOf([{ id: 'one', given: 'أحمد', family: 'سالم' }]));
  const preview = await school.again(
    connection,
    rosterOf([
      { id: 'one', given: 'أحمد', family: 'سالم' },
      { id: 'two', given: 'احمد', family: 'سالم', course: 'B' },
      { id: 'three', given: 'منى', family: 'سالم' },
    ]),
  );
  const one = await school.userOf('one');
  assert.equal(rowOf(preview, 'two').possibleDuplicates, [
    { studentId: one.id, fullNameAr: one.fullNameAr, classId: school.first, status: 'active' },
  ]);
  assert.equal(rowOf(preview, 'three').possibleDuplicates, []);
  for (const id of ['one', 'one@A', 'two@B']) assert.not.ok('possibleDuplicates' in rowOf(preview, id), id);
  const stored = await owner('lms_preview_row').where({ previewId: preview.previewId });
  assert.not.ok(JSON.stringify(stored).includes('possibleDuplicates'));
});

test.run();
