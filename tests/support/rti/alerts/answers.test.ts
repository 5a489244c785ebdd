// Actions of people on alerts over HTTP (ALT-06 to ALT-08, ALT-14), the effects of a dismissal, and the lists.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { evaluateOrganization } from '#support/rti/evaluation/daily.ts';
import { buildPrincipal, signIn, type UserRow } from '../../../harness/factories.ts';
import { sentStatements } from '../../../harness/statements/sent-statements.ts';
import type { Room } from '../../interventions/classroom.ts';
import { allRight, oneNeed, twoNeeds, useRtiRoom } from '../rti-world.ts';
import { buildAlert } from './rows.ts';

const world = useRtiRoom(test);
const { owner } = world.app.database;

let room: Room;
let student: UserRow;
test.before.each(async () => {
  world.app.clock.set('2026-01-15T08:00:00.000Z');
  room = await world.room();
  student = await world.student(room);
});

const addressed = { overrideCode: 'Alr_Already_Addressed_06' };
const acknowledge = (id: string) => world.call(room, `/api/rti/alerts/${id}/acknowledge`);
const dismiss = (id: string, body: object = addressed) => world.call(room, `/api/rti/alerts/${id}/dismiss`, body);
const daily = () => evaluateOrganization(world.services, room.organizationId);

async function opened(letters = twoNeeds): Promise<string> {
  await world.measure([student], letters);
  await world.evaluate(student);
  return (await world.open(room, student))?.alertId ?? '';
}

test('ALT-06: acknowledging twice is once', async () => {
  const id = await opened();
  const first = await acknowledge(id);
  assert.is(first.status, 200);
  assert.is(first.body.acknowledgedAt, world.app.clock.now().toISOString());
  world.days(1);
  const second = await acknowledge(id);
  assert.equal([second.status, second.body.acknowledgedAt], [200, first.body.acknowledgedAt]);
});

test('a tier review is to be acknowledged within a day', async () => {
  const openedAt = world.app.clock.now();
  const hours = (count: number) => new Date(openedAt.getTime() + count * 3_600_000).toISOString();
  const review = { kind: 'tier_review_due', severity: 2, ruleId: 'RAL-06', openedAt: hours(0), dueAt: hours(24) };
  const id = await buildAlert(owner, student, review);
  world.app.clock.advance(24 * 3_600_000);
  assert.is((await world.open(room, student))?.ackOverdue, false);
  world.app.clock.advance(1);
  assert.is((await world.open(room, student))?.ackOverdue, true);
  assert.is((await acknowledge(id)).body.ackOverdue, false);
});

test('ALT-07: a dismissal lasts two weeks and its end is announced, once, three days before', async () => {
  const id = await opened(oneNeed);
  const { status, body } = await dismiss(id);
  assert.is(status, 200, JSON.stringify(body));
  assert.equal([body.state, body.expiresOn, body.dismissalCode], ['dismissed', '2026-01-29', addressed.overrideCode]);
  assert.is((await world.told(student, 'rti.alert_dismissed')).length, 1);
  for (const [date, notified] of [
    ['2026-01-25', 0],
    ['2026-01-26', 1],
    ['2026-01-28', 1],
  ] as const) {
    world.app.clock.set(`${date}T08:00:00.000Z`);
    await daily();
    await daily();
    assert.is((await world.told(student, 'rti.dismissal_expiring')).length, notified, date);
    assert.is(await world.open(room, student), undefined, `${date}: its kind stays quiet`);
  }
  world.app.clock.set('2026-01-29T08:00:00.000Z');
  await daily();
  const again = await world.open(room, student);
  assert.equal([again?.alertId, again?.expiresOn, again?.openedAt], [id, null, '2026-01-29T08:00:00.000Z'], 'ALT-09');
  assert.is((await world.told(student, 'rti.alert_opened')).length, 2);
});

test('while the student is halted the end of a dismissal is not announced, since the alert does not open', async () => {
  await dismiss(await opened(oneNeed));
  const daysToTell = ['2026-01-26', '2026-01-27'];
  for (const date of daysToTell) {
    world.app.clock.set(`${date}T08:00:00.000Z`);
    await owner('class').where({ id: room.classRow.id }).update({ grade: 1 });
    await recomputeStudents(world.services, room.organizationId, [student.id], 'grade_changed');
    assert.is((await world.statusOf(room, student)).outcome, 'do_not_decide_yet');
    await daily();
    assert.equal(await world.told(student, 'rti.dismissal_expiring'), [], date);
  }
  await owner('class').where({ id: room.classRow.id }).update({ grade: 2 });
  await recomputeStudents(world.services, room.organizationId, [student.id], 'grade_changed');
  await daily();
  assert.is((await world.told(student, 'rti.dismissal_expiring')).length, 1, 'the end is still to come');
});

test('a failing announcement does not stop the others', async () => {
  const other = await world.student(room);
  await world.measure([student, other], oneNeed);
  const aside = { state: 'dismissed', expiresOn: '2026-01-17', dismissalCode: addressed.overrideCode };
  for (const one of [student, other]) {
    const dismissedAt = { dismissedAt: '2026-01-03T08:00:00.000Z', dismissedBy: one.id };
    await buildAlert(owner, one, {
      ...aside,
      ...dismissedAt,
      openedOn: '2026-01-02',
      openedAt: '2026-01-02T08:00:00.000Z',
    });
  }
  await owner.raw(
    `create function refuse_telling() returns trigger language plpgsql as $$ begin
       if new.student_id = ${student.id} then raise exception 'broken'; end if; return new; end $$;
     create trigger refuse_telling before update on rti_alert for each row execute function refuse_telling();`,
  );
  const failure = await daily().catch((error: unknown) => error);
  await owner.raw('drop trigger refuse_telling on rti_alert');
  assert.match(String(failure), /broken/);
  const notified = async (one: UserRow) => (await world.told(one, 'rti.dismissal_expiring')).length;
  assert.equal([await notified(student), await notified(other)], [0, 1]);
  await daily();
  assert.equal([await notified(student), await notified(other)], [1, 1]);
});

test('ALT-10: while an alert is put aside a milder one may open; the first then does not come back', async () => {
  const id = await opened();
  await dismiss(id);
  world.days(1);
  await daily();
  assert.is((await world.open(room, student))?.kind, 'Skill_Alert');
  world.days(13);
  await daily();
  const closed = (await world.alerts(room, student)).find(({ alertId }) => alertId === id);
  assert.equal([closed?.state, closed?.closeReason, closed?.expiresOn], ['closed', 'superseded_by_more_severe', null]);
});

test('codes: unknown and of another scope are 422 before the state is asked', async () => {
  const id = await opened();
  for (const [overrideCode, issue] of [
    ['No_Such_Code_01', 'unknown_code'],
    ['Rti_Evidence_Conflict_01', 'wrong_scope'],
  ]) {
    const { status, body } = await dismiss(id, { overrideCode });
    assert.equal([status, body.details], [422, [{ field: 'overrideCode', issue }]]);
  }
  assert.is((await dismiss(id, {})).status, 422);
  assert.is((await world.open(room, student))?.alertId, id, 'nothing has happened');
});

test('ALT-08 and ALT-14: the two most severe kinds stay; what is not open allows nothing, which is asked first', async () => {
  const acute = await buildAlert(owner, student, { kind: 'acute_regression_review', severity: 5, ruleId: 'RAL-02' });
  assert.equal((await dismiss(acute)).body.details, [{ field: '', issue: 'not_dismissible' }]);
  const other = await world.student(room);
  const intensive = await buildAlert(owner, other, { kind: 'Intensive_Review', severity: 4, ruleId: 'RAL-03' });
  assert.equal((await dismiss(intensive)).body.details, [{ field: '', issue: 'not_dismissible' }]);
  const closed = { state: 'closed', closedAt: '2026-01-10T08:00:00.000Z', closedOn: '2026-01-10' };
  const gone = await buildAlert(owner, student, {
    ...{ kind: 'acute_regression_review', severity: 5, closeReason: 'student_left', ...closed },
  });
  for (const call of [acknowledge, dismiss]) {
    const { status, body } = await call(gone);
    assert.equal([status, body.details], [409, [{ field: '', issue: 'invalid_transition' }]]);
  }
});

test('of two dismissals at once one is refused', async () => {
  const id = await opened();
  const answers = await Promise.all([dismiss(id), dismiss(id), dismiss(id)]);
  assert.equal(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  assert.is((await world.told(student, 'rti.alert_dismissed')).length, 1);
});

test('a dismissal beside evaluations holds; who evaluates after it may find a milder reason, and one of them opens it', async () => {
  const id = await opened();
  await Promise.all([dismiss(id), world.look(student), world.look(student)]);
  const rows = await owner('rti_alert').where({ studentId: student.id });
  const [dismissed, ...others] = rows.toSorted((one, other) => other.severity - one.severity);
  assert.equal([dismissed.id, dismissed.state], [id, 'dismissed']);
  assert.ok(others.length <= 1 && others.every(({ state, kind }) => state === 'open' && kind === 'Skill_Alert'));
});

test('a principal reads alerts and writes nothing about them', async () => {
  const id = await opened();
  const school = await owner('school')
    .where({ id: (await owner('class').where({ id: room.classRow.id }).first()).schoolId })
    .first();
  const token = await signIn(world.app, await buildPrincipal(owner, school));
  assert.is((await world.http.get(`/api/rti/classes/${room.classRow.id}/alerts`, { token })).status, 200);
  for (const what of ['acknowledge', 'dismiss']) {
    assert.is((await world.http.post(`/api/rti/alerts/${id}/${what}`, {}, { token })).status, 403, what);
  }
});

test('alerts of a class: most severe first, then by age, in pages; statements do not grow with the students', async () => {
  const others = [await world.student(room), await world.student(room), await world.student(room)];
  await world.measure(others, allRight);
  const [first, second, third] = others as [UserRow, UserRow, UserRow];
  await buildAlert(owner, first, { kind: 'Skill_Alert', severity: 1, openedAt: '2026-01-01T08:00:00.000Z' });
  await buildAlert(owner, second, { openedAt: '2026-01-03T08:00:00.000Z' });
  const path = `/api/rti/classes/${room.classRow.id}/alerts`;
  const token = await signIn(world.app, room.teacher);
  const asked = async (query = '') => {
    let body: Page = { items: [], nextCursor: null };
    const statements = await sentStatements(world.app.database.app, async () => {
      ({ body } = await world.http.get<Page>(`${path}${query}`, { token }));
    });
    return { body, statements: statements.length };
  };
  await asked();
  const two = await asked();
  await buildAlert(owner, third, { openedAt: '2026-01-02T08:00:00.000Z' });
  await buildAlert(owner, student, { kind: 'Intensive_Review', severity: 4 });
  const four = await asked();
  assert.equal(
    four.body.items.map(({ studentId }) => studentId),
    [student.id, third.id, second.id, first.id],
  );
  assert.is(four.statements, two.statements);
  const page = await asked('?limit=3');
  const rest = await asked(`?limit=3&cursor=${page.body.nextCursor}`);
  assert.equal(
    [...page.body.items, ...rest.body.items].map(({ studentId }) => studentId),
    four.body.items.map(({ studentId }) => studentId),
  );
  assert.is((await asked('?kind=Student_Alert')).body.items.length, 2);
  await owner('enrollment').where({ studentId: first.id }).update({ enrolledTo: '2026-01-14' });
  assert.is((await asked()).body.items.length, 3, 'who has left is in no list of the class');
});

interface Page {
  readonly items: readonly { readonly studentId: number }[];
  readonly nextCursor: string | null;
}

test('a student’s alerts in pages, newest first, by state', async () => {
  for (const day of ['01', '02', '03']) {
    const closed = { state: 'closed', closedAt: '2026-01-10T08:00:00.000Z', closedOn: '2026-01-10' };
    const openedAt = `2026-01-${day}T08:00:00.000Z`;
    await buildAlert(owner, student, { ...closed, closeReason: 'condition_cleared', openedAt });
  }
  const id = await buildAlert(owner, student, { openedAt: '2026-01-04T08:00:00.000Z' });
  const all = await world.alerts(room, student);
  assert.is(all[0]?.alertId, id);
  assert.equal(
    all.map(({ openedAt }) => openedAt.slice(8, 10)),
    ['04', '03', '02', '01'],
  );
  const token = await signIn(world.app, room.teacher);
  const path = `/api/rti/students/${student.id}/alerts`;
  const first = await world.http.get<Page>(`${path}?limit=2`, { token });
  const second = await world.http.get<Page>(`${path}?limit=2&cursor=${first.body.nextCursor}`, { token });
  assert.is(first.body.items.length + second.body.items.length, 4);
  assert.is(second.body.nextCursor, null);
  assert.is((await world.http.get<Page>(`${path}?state=closed`, { token })).body.items.length, 3);
});

test('G-12, first half: a weak word skill, then a sudden fall of listening: the milder alert gives way, never two are open', async () => {
  await world.measure([student], oneNeed);
  await world.evaluate(student);
  assert.is((await world.open(room, student))?.kind, 'Skill_Alert');
  world.days(7);
  await world.measure([student], { DEC_WORD: 'UUUCCC', LIS_LITERAL: 'CUUUUU', LK_SOUND: 'CCCC' });
  await world.evaluate(student);
  const alerts = await world.alerts(room, student);
  assert.equal(
    alerts.map(({ kind, state, closeReason, subSkillCode }) => [kind, state, closeReason, subSkillCode]),
    [
      ['acute_regression_review', 'open', null, 'LIS_LITERAL'],
      ['Skill_Alert', 'closed', 'superseded_by_more_severe', 'DEC_WORD'],
    ],
  );
  const recompute = await world.call(room, `/api/cluster/recompute/${room.classRow.id}`);
  assert.ok(JSON.stringify(recompute.body).includes(`"individualReview":[`));
});

test.run();
