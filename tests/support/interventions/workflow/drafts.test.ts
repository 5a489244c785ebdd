// Drafts of a teacher's selection for a class (contract 52 §7.3): the last one is kept for a week, for its teacher.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildClass,
  buildPrincipal,
  buildSchool,
  buildStudent,
  buildTeacher,
  signIn,
} from '../../../harness/factories.ts';
import { confirmed, type Json, monday, type Pupil, reported, usePlans } from './draft-bodies.ts';

const test = suite('drafts of the workflow');
const plans = usePlans(test);
const { app } = plans.shell;
const { owner } = app.database;
const dayMs = 86_400_000;

let pupil: Pupil;
test.before(async () => {
  app.clock.set(monday);
  pupil = await plans.pupil();
});

const token = () => signIn(app, pupil.teacher);
const selection = () => ({ studentId: pupil.id, bundle_id: 'SUP-DECODE-01', scaffoldTier: 'Level_2' });
const bodyOf = (selections: readonly Json[], more: Json = {}): Json => ({
  classId: pupil.classRow.id,
  draft: { step: 'select_bundle', selections },
  ...more,
});
const save = async (body: Json, as?: string) =>
  app.post<Json>('/api/workflow/save-draft', body, { token: as ?? (await token()) });
const read = async (teacherId = pupil.teacher.id, as?: string) =>
  app.get<Json>(`/api/workflow/draft/${teacherId}/${pupil.classRow.id}`, { token: as ?? (await token()) });

test('the last draft that was saved is read again, and only for a week', async () => {
  assert.is((await save(bodyOf([]))).status, 200);
  const startOn = '2026-02-01';
  const draft = { step: 'confirm', selections: [{ ...selection(), startOn, overrideCode: confirmed.overrideCode }] };
  const saved = await save({ classId: pupil.classRow.id, draft });
  assert.equal(saved.body, {
    ...{ teacherId: pupil.teacher.id, classId: pupil.classRow.id, draft },
    ...{ savedAt: monday, expiresAt: '2026-01-19T08:00:00.000Z' },
  });
  assert.equal((await read()).body, saved.body);
  assert.is((await owner('workflow_draft').where({ classId: pupil.classRow.id })).length, 1);
  app.clock.advance(7 * dayMs - 1);
  assert.is((await read()).status, 200);
  app.clock.advance(1);
  assert.equal(reported(await read()), [404, 'NOT_FOUND']);
});

test('an activation leaves it as it is', async () => {
  const saved = await save(bodyOf([selection()]));
  await plans.given(await plans.classmate(pupil));
  assert.equal((await read()).body, saved.body);
});

test('the contents are not checked against any state: a halted student, a bundle of another grade, an old start', async () => {
  const never = await plans.classmate(pupil, null);
  const odd = { studentId: never.id, bundle_id: 'BND-DECODE-02', startOn: '2020-01-01' };
  assert.is((await save(bodyOf([odd, odd, selection()]))).status, 200);
});

test('ids and words are checked: 422, then 404, then 403', async () => {
  const unknown = { studentId: 999_999_999 };
  const rows = [
    [{ ...unknown, bundle_id: 'NO-SUCH-01' }, 'draft.selections.1.bundle_id unknown_bundle'],
    [{ ...unknown, overrideCode: 'No_Such_Code' }, 'draft.selections.1.overrideCode unknown_code'],
    [{ ...unknown, overrideCode: 'Gam_Award_Invalid_05' }, 'draft.selections.1.overrideCode wrong_scope'],
  ] as const;
  for (const [wrong, issue] of rows) {
    assert.equal(reported(await save(bodyOf([selection(), wrong]))), [422, 'VALIDATION_ERROR', issue]);
  }
  assert.is((await save(bodyOf([{ ...unknown, scaffoldTier: 'Level_4' }]))).status, 422);
  assert.is((await save({ ...bodyOf([]), draft: { step: 'done', selections: [] } })).status, 422);
  assert.is((await save(bodyOf(Array.from({ length: 61 }, selection)))).status, 422);
  assert.is((await save(bodyOf(Array.from({ length: 60 }, selection)))).status, 200);
  const other = await buildClass(owner, { organizationId: pupil.organizationId, schoolId: pupil.classRow.schoolId });
  const unreached = { studentId: (await buildStudent(owner, other)).id };
  assert.equal(reported(await save(bodyOf([unreached, unknown]))), [404, 'NOT_FOUND'], 'both: 404');
  assert.equal(reported(await save(bodyOf([unreached, selection()]))), [403, 'PERMISSION_DENIED']);
  assert.equal(reported(await save(bodyOf([{ studentId: pupil.teacher.id }]))), [404, 'NOT_FOUND'], 'no student');
  assert.equal(reported(await save(bodyOf([], { classId: 999_999_999 }))), [404, 'NOT_FOUND']);
  assert.equal(reported(await save(bodyOf([], { classId: other.id }))), [403, 'PERMISSION_DENIED']);
});

test('only teachers save; only they and administrators read; a colleague and a principal do neither', async () => {
  await save(bodyOf([selection()]));
  const admin = await plans.admin(pupil);
  const principal = await signIn(app, await buildPrincipal(owner, { ...pupil.classRow, id: pupil.classRow.schoolId }));
  for (const other of [admin, principal]) {
    assert.equal(reported(await save({ nonsense: 1 }, other)), [403, 'PERMISSION_DENIED'], 'before the body');
  }
  assert.is((await read(pupil.teacher.id, admin)).status, 200);
  assert.is((await read(pupil.teacher.id, principal)).status, 403);
  const colleague = await buildTeacher(owner, pupil.classRow, 'SECONDARY');
  const theirs = await signIn(app, colleague);
  assert.equal(reported(await read(pupil.teacher.id, theirs)), [403, 'PERMISSION_DENIED']);
  assert.equal(reported(await read(colleague.id, theirs)), [404, 'NOT_FOUND'], 'none of their own');
  assert.is((await save(bodyOf([]), theirs)).status, 200);
  assert.equal(((await read()).body.draft as Json).selections, [selection()], 'each has one');
  const schoolId = (await buildSchool(owner, { organizationId: pupil.organizationId })).id;
  const elsewhere = await buildTeacher(
    owner,
    await buildClass(owner, { organizationId: pupil.organizationId, schoolId }),
  );
  assert.is((await read(pupil.teacher.id, await signIn(app, elsewhere))).status, 403);
  assert.equal(reported(await read(999_999_999, admin)), [404, 'NOT_FOUND']);
});

test('ten at once: one row, the last one whole', async () => {
  const as = await token();
  const steps = ['select_students', 'select_bundle', 'schedule', 'confirm'];
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      save({ classId: pupil.classRow.id, draft: { step: steps[at % 4], selections: [selection()] } }, as),
    ),
  );
  assert.ok(replies.every(({ status }) => status === 200));
  const own = await owner('workflow_draft').where({ teacherUserId: pupil.teacher.id });
  assert.is(own.length, 1);
});

test.run();
