// Two accounts of one child: what moves, what stays, who sees what afterwards, and every refusal.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { finishedSession, openSession } from '../../contract/rows/diagnostics.ts';
import { openReading } from '../../contract/rows/readings.ts';
import {
  buildClass,
  buildParent,
  buildStudent,
  buildTeacher,
  password,
  passwordHash,
  signIn,
  type UserRow,
} from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;

test.before.each(async () => {
  tenant = await buildTenant(app);
});

interface Refusal {
  readonly details?: readonly { readonly field: string; readonly issue: string }[];
}

interface Merged extends Refusal {
  readonly mergeId: number;
  readonly at: string;
}

interface Person extends Refusal {
  readonly status: string;
  readonly email: string | null;
  readonly merges: readonly { readonly mergeId: number; readonly undoneAt: string | null }[];
}

interface Named {
  readonly id: number;
}

const admin = () => ({ token: tenant.people.ADMIN.token });
const newStudent = (overrides = {}) => buildStudent(owner, tenant.classRow, overrides);
const merge = (from: Named, into: Named) =>
  app.post<Merged>(
    `/api/students/${from.id}/merge`,
    { intoStudentId: into.id, reasonCode: 'duplicate_account' },
    admin(),
  );
const undo = (mergeId: number) =>
  app.post<Refusal & { undoneAt: string }>(`/api/student-merges/${mergeId}/undo`, {}, admin());
const issueOf = ({ status, body }: { status: number; body: Refusal }) => [status, body.details?.[0]?.issue];
const userOf = async ({ id }: Named) => (await app.get<Person>(`/api/users/${id}`, admin())).body;
/** The parents linked to a student, by id. */
async function parentsOf({ id: studentId }: Named): Promise<number[]> {
  const links: { parentUserId: number }[] = await owner('parent_student')
    .where({ studentId })
    .orderBy('parentUserId')
    .select('parentUserId');
  return links.map(({ parentUserId }) => parentUserId);
}
/** Signs the administrator in again, after the clock has moved. */
async function signInAgain(): Promise<void> {
  const { ADMIN } = tenant.people;
  tenant = { ...tenant, people: { ...tenant.people, ADMIN: { ...ADMIN, token: await signIn(app, ADMIN) } } };
}
const enrolledIn = async ({ id: studentId }: Named): Promise<number | undefined> =>
  (await owner('enrollment').where({ studentId }).whereNull('enrolledTo').first('classId'))?.classId;

async function mergedPair() {
  const [from, into] = [await newStudent(), await newStudent()];
  const { mergeId } = (await merge(from, into)).body;
  return { from, into, mergeId };
}

test('a merge answers with what moved and what was left behind, and both accounts list it', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  const parent = await buildParent(owner, from);
  const { status, body } = await merge(from, into);
  assert.is(status, 201);
  const now = app.clock.now();
  assert.equal(body, {
    mergeId: body.mergeId,
    studentId: from.id,
    intoStudentId: into.id,
    at: now.toISOString(),
    undoUntil: new Date(now.getTime() + 30 * dayMs).toISOString(),
    moved: { parentLinks: 1, identities: 0 },
    leftBehind: { tier: 1, openAlertKind: null, plans: 0, packets: 0 },
  });
  const link = await owner('parent_student').where({ parentUserId: parent.id }).first();
  assert.equal([link.studentId, link.childId], [into.id, parent.childId], 'the handle of the link stays');
  assert.is((await userOf(from)).status, 'merged');
  for (const account of [from, into]) {
    const { merges } = await userOf(account);
    assert.equal(
      merges.map(({ mergeId, undoneAt }) => [mergeId, undoneAt]),
      [[body.mergeId, null]],
    );
  }
});

test('a merged account has no class, signs in no more, and is listed only when it is asked for', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  const { quickCode } = (await app.post<{ quickCode: string }>(`/api/students/${from.id}/quick-code`, {}, admin()))
    .body;
  const token = await signIn(app, from);
  assert.is((await merge(from, into)).status, 201);
  assert.is(await enrolledIn(from), undefined);
  assert.is((await app.get('/api/auth/me', { token })).status, 401, 'the session ends at once');
  assert.is((await app.post('/api/auth/quickcode', { quickCode })).status, 401);
  const idsOf = async (query: string) =>
    (await app.get<{ items: Named[] }>(`/api/users?limit=100&persona=STUDENT${query}`, admin())).body.items.map(
      ({ id }) => id,
    );
  assert.not.ok((await idsOf('')).includes(from.id));
  assert.ok((await idsOf('')).includes(into.id));
  assert.equal(await idsOf('&status=merged'), [from.id]);
});

test('an address of a merged account signs in no more, and an undo gives it back unless it was taken', async () => {
  const email = 'child.one@example.org';
  const [from, into] = [await newStudent({ email, passwordHash: await passwordHash() }), await newStudent()];
  const signsIn = async () => (await app.post('/api/auth/login', { email, password })).status;
  assert.is(await signsIn(), 200);
  const { mergeId } = (await merge(from, into)).body;
  assert.is(await signsIn(), 401);
  await undo(mergeId);
  assert.is((await userOf(from)).email, email);
  assert.is(await signsIn(), 200);
  const again = (await merge(from, into)).body;
  await newStudent({ email });
  assert.is((await undo(again.mergeId)).status, 200);
  assert.is((await userOf(from)).email, null);
});

test('refusals of a merge: unknown, foreign, same, merged, open diagnostic, open reading', async () => {
  const other = await buildStudent(owner);
  const [from, into] = [await newStudent(), await newStudent()];
  for (const unknown of [{ id: 999_999_999 }, other, tenant.people.TEACHER]) {
    assert.is((await merge(unknown, into)).status, 404);
    assert.is((await merge(from, unknown)).status, 404);
  }
  assert.equal(issueOf(await merge(from, from)), [422, 'same']);
  const merged = await mergedPair();
  assert.equal(issueOf(await merge(merged.from, into)), [409, 'merged']);
  assert.equal(issueOf(await merge(from, merged.from)), [409, 'merged']);
  const measured = await newStudent();
  await openSession(app, await signIn(app, measured));
  assert.equal(issueOf(await merge(measured, into)), [409, 'open_session']);
  assert.equal(issueOf(await merge(from, measured)), [409, 'open_session']);
  const reading = await newStudent();
  await openReading(app, reading);
  assert.equal(issueOf(await merge(reading, into)), [409, 'open_session']);
  assert.is((await userOf(from)).status, 'active', 'nothing was written');
});

test('an expired diagnostic that was not finished holds up no merge', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  await openSession(app, await signIn(app, from));
  await owner('diagnostic_session').where({ studentId: from.id }).update({ expiresAt: app.clock.now() });
  assert.is((await merge(from, into)).status, 201);
});

test('only MANAGE_ROSTER merges, for a reason of the list', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  const body = { intoStudentId: into.id, reasonCode: 'duplicate_account' };
  for (const persona of ['TEACHER', 'PRINCIPAL', 'MANAGER'] as const) {
    const { token } = tenant.people[persona];
    assert.is((await app.post(`/api/students/${from.id}/merge`, body, { token })).status, 403);
  }
  const reason = { intoStudentId: into.id, reasonCode: 'other' };
  assert.is((await app.post(`/api/students/${from.id}/merge`, reason, admin())).status, 422);
});

test('a link that the other account has already is dropped, and an undo restores it', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  const [both, alone] = [await buildParent(owner, from), await buildParent(owner, from)];
  const { organizationId } = tenant;
  await owner('parent_student').insert({ childId: newId(), organizationId, parentUserId: both.id, studentId: into.id });
  const { body } = await merge(from, into);
  assert.equal(await parentsOf(into), [both.id, alone.id]);
  assert.equal(await parentsOf(from), []);
  assert.is((await undo(body.mergeId)).status, 200);
  assert.equal(await parentsOf(into), [both.id]);
  assert.equal(await parentsOf(from), [both.id, alone.id]);
  const back = await owner('parent_student').where({ studentId: from.id, parentUserId: both.id }).first();
  assert.is(back.childId, both.childId);
});

test('an undo opens the account in its class, and neither twice nor after 30 days', async () => {
  const { from, into, mergeId } = await mergedPair();
  const late = await mergedPair();
  app.clock.advance(30 * dayMs);
  await signInAgain();
  assert.is((await undo(mergeId)).status, 200, 'in the last moment');
  assert.is((await userOf(from)).status, 'active');
  assert.is(await enrolledIn(from), tenant.classRow.id);
  assert.is(await enrolledIn(into), tenant.classRow.id);
  assert.equal(issueOf(await undo(mergeId)), [409, 'undone']);
  app.clock.advance(1);
  assert.equal(issueOf(await undo(late.mergeId)), [409, 'too_late']);
  assert.is((await undo(999_999_999)).status, 404);
});

test('an undo leaves an account without a class whose class was archived', async () => {
  const classRow = await buildClass(owner, { organizationId: tenant.organizationId, schoolId: tenant.school.id });
  const from = await buildStudent(owner, classRow);
  const { body } = await merge(from, await newStudent());
  await owner('class').where({ id: classRow.id }).update({ archivedAt: app.clock.now() });
  assert.is((await undo(body.mergeId)).status, 200);
  assert.is(await enrolledIn(from), undefined);
});

test('a link that was removed meanwhile does not come back', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  const parent = await buildParent(owner, from);
  const { body } = await merge(from, into);
  assert.is((await app.delete(`/api/students/${into.id}/parents/${parent.id}`, admin())).status, 204);
  await undo(body.mergeId);
  assert.not.ok(await owner('parent_student').where({ parentUserId: parent.id }).first());
});

test('A into B, B into C: reads of all answer for C, and the last merge is undone first', async () => {
  const [first, second, third] = [await newStudent(), await newStudent(), await newStudent()];
  const parents = [await buildParent(owner, first), await buildParent(owner, second)];
  const ofFirst = (await merge(first, second)).body;
  const ofSecond = (await merge(second, third)).body;
  const studentOf = async ({ id }: Named) =>
    (await app.get<{ studentId: number }>(`/api/students/${id}/profile`, admin())).body.studentId;
  for (const one of [first, second, third]) assert.is(await studentOf(one), third.id);
  assert.equal(
    await parentsOf(third),
    parents.map(({ id }) => id),
  );
  assert.equal(issueOf(await undo(ofFirst.mergeId)), [409, 'merged']);
  assert.is((await undo(ofSecond.mergeId)).status, 200);
  assert.is(await studentOf(first), second.id);
  assert.is(await studentOf(third), third.id);
  assert.equal(
    await parentsOf(second),
    parents.map(({ id }) => id),
  );
  assert.is((await undo(ofFirst.mergeId)).status, 200);
  assert.is(await studentOf(first), first.id);
  assert.equal(await parentsOf(first), [parents[0]?.id]);
  assert.equal(await parentsOf(second), [parents[1]?.id]);
});

test('of merges at once one wins: the same twice, and A into B beside B into A', async () => {
  for (const crossed of [false, true]) {
    const [one, other] = [await newStudent(), await newStudent()];
    const answers = await Promise.all([merge(one, other), crossed ? merge(other, one) : merge(one, other)]);
    assert.equal(answers.map(({ status }) => status).sort(), [201, 409]);
    const statuses = [(await userOf(one)).status, (await userOf(other)).status];
    assert.equal(statuses.sort(), ['active', 'merged']);
  }
});

test('of undos at once one wins', async () => {
  const { mergeId } = await mergedPair();
  const answers = await Promise.all([undo(mergeId), undo(mergeId)]);
  assert.equal(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('a merge with an Idempotency-Key is answered again', async () => {
  const [from, into] = [await newStudent(), await newStudent()];
  const body = { intoStudentId: into.id, reasonCode: 'duplicate_account' };
  const keyed = { ...admin(), headers: { 'idempotency-key': 'merge-once' } };
  const first = await app.post(`/api/students/${from.id}/merge`, body, keyed);
  const again = await app.post(`/api/students/${from.id}/merge`, body, keyed);
  assert.equal([first.status, again.status], [201, 201]);
  assert.equal(again.body, first.body);
});

test('rows of a merged account are in reach of those who reach the other one, and of no others', async () => {
  const home = await buildClass(owner, { organizationId: tenant.organizationId, schoolId: tenant.school.id });
  const [former, present] = [await buildTeacher(owner, home), tenant.people.TEACHER];
  const from = await buildStudent(owner, home);
  const sessionId = await finishedSession(app, from);
  assert.is((await merge(from, await newStudent())).status, 201);
  const read = async (teacher: UserRow) =>
    (await app.get(`/api/engine/sessions/${sessionId}`, { token: await signIn(app, teacher) })).status;
  assert.is(await read(present), 200);
  assert.is(await read(former), 403);
});

test('an export of the student has the rows of the merged account, and an erasure erases both', async () => {
  const [from, into] = [await newStudent({ fullNameAr: 'سلمى الأولى' }), await newStudent()];
  const sessionId = await finishedSession(app, from);
  const { body: merged } = await merge(from, into);
  const archive = JSON.stringify((await app.get<object>(`/api/students/${into.id}/data-export`, admin())).body);
  for (const own of [sessionId, 'سلمى الأولى', `"intoStudentId":${into.id}`]) assert.ok(archive.includes(own), own);
  assert.is((await app.post(`/api/students/${into.id}/erasure`, {}, admin())).status, 200);
  const rows = await owner('app_user').whereIn('id', [from.id, into.id]).select('status', 'fullNameAr', 'mergedIntoId');
  assert.equal(rows, Array(2).fill({ status: 'deleted', fullNameAr: null, mergedIntoId: null }));
  assert.is((await undo(merged.mergeId)).status, 404);
});

test.run();
