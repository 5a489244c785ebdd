// Due days of open alerts, followed by the daily run: their stages, whom they are told to, and what begins them anew.
// February and March 2026; the weekend is Friday and Saturday. A Student_Alert is due on the tenth school day.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobsOf } from '#core/module/capability.ts';
import { newId } from '#core/platform/ids.ts';
import { deliverWaiting } from '#messaging/notifications/dispatch/deliver.ts';
import { checkAssignments } from '#support/interventions/assignments/jobs.ts';
import { dueAlerts } from '#support/rti/due/alerts.ts';
import { followDueDays } from '#support/rti/due/daily.ts';
import { evaluateOrganization } from '#support/rti/evaluation/daily.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { buildPrincipal, buildUser, type UserRow } from '../../../harness/factories.ts';
import { deskOf } from '../../../messaging/notifications/desk.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';
import type { Room } from '../../interventions/classroom.ts';
import { buildAlert } from '../alerts/rows.ts';
import { twoNeeds, useRtiRoom } from '../rti-world.ts';

const test = suite('due days of alerts');
const world = useRtiRoom(test);
const { app, services } = world;
const { owner } = app.database;

/** Six in the morning in Riyadh. */
const at = (date: string) => app.clock.set(new Date(`${date}T03:00:00.000Z`));
const follow = ({ organizationId }: Room) => followDueDays(services, organizationId, dueAlerts);

interface Staffed {
  readonly room: Room;
  readonly principal: UserRow;
  readonly admin: UserRow;
}

/** With the first daily run on Sunday, the first of February. */
async function staffed(): Promise<Staffed> {
  at('2026-02-01');
  const room = await world.room();
  const { organizationId, classRow } = room;
  const school = await owner('school').where({ id: classRow.schoolId }).first();
  const principal = await buildPrincipal(owner, school);
  const admin = await buildUser(owner, 'ADMIN', { organizationId });
  await follow(room);
  return { room, principal, admin };
}

/** An alert of a student who was never measured: halted, so nothing opens or closes. */
async function alertIn(room: Room, overrides: object = {}): Promise<{ id: string; student: UserRow }> {
  const student = await world.student(room);
  const opened = { openedAt: '2026-02-01T03:00:00.000Z', openedOn: '2026-02-01' };
  return { id: await buildAlert(owner, student, { ...opened, ...overrides }), student };
}

const row = async (id: string) => {
  const { dueFrom, dueOn, stage, toldStage } = await owner('rti_alert').where({ id }).first();
  return { dueFrom, dueOn, stage, toldStage };
};

const stagesTold = async ({ organizationId }: Room) => {
  const events = await owner('outbox').where({ organizationId, topic: 'rti.alert_stage_came' }).orderBy('id');
  return events.map(({ payload }) => payload);
};
const words = async (room: Room) => (await stagesTold(room)).map(({ stage, to }) => `${stage} ${to}`);

async function settle({ organizationId }: Room): Promise<void> {
  const { log, lines } = capturedLog();
  await relayAll(services, noQueues, jobsOf(services.capabilities).reactions, log);
  await deliverWaiting(services, organizationId);
  assert.equal(
    lines.filter(({ err }) => err !== undefined),
    [],
  );
}

const inbox = async ({ id }: UserRow): Promise<string[]> => {
  const rows = await owner('notification').where({ recipientUserId: id }).orderBy('createdAt');
  return rows.map(({ kind, payload }) => `${kind} ${payload.stage}`);
};

test('an alert opens with its due day, and teachers, principals and administrators are told in turn', async () => {
  const { room, principal, admin } = await staffed();
  const student = await world.student(room);
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
  const opened = await world.open(room, student);
  assert.equal([opened?.kind, opened?.dueOn, opened?.stage], ['Student_Alert', '2026-02-15', 'opened']);
  const told = new Map<string, string[]>();
  for (let day = 2; day <= 44; day += 1) {
    at(new Date(Date.UTC(2026, 1, day)).toISOString().slice(0, 10));
    await follow(room);
    await settle(room);
    const date = app.clock.now().toISOString().slice(0, 10);
    for (const { stage, to } of (await stagesTold(room)).slice([...told.values()].flat().length)) {
      told.set(date, [...(told.get(date) ?? []), `${stage} ${to}`]);
    }
  }
  assert.equal(Object.fromEntries(told), {
    '2026-02-15': ['reminder teachers'],
    '2026-03-01': ['overdue principals'],
    '2026-03-15': ['overdue principals', 'overdue admins'],
  });
  const kind = 'student_alert_assigned';
  assert.equal(await inbox(room.teacher), [`${kind} opened`, `${kind} reminder`]);
  assert.equal(await inbox(principal), [`${kind} overdue`, `${kind} overdue`]);
  assert.equal(await inbox(admin), [`${kind} overdue`]);
  const [text] = await owner('notification').where({ recipientUserId: admin.id });
  assert.match(text.renderedTitleAr, /تجاوز موعده/);
  const shown = await world.open(room, student);
  assert.equal([shown?.dueOn, shown?.stage], ['2026-02-15', 'overdue']);
});

test('what was open before is counted from the first daily run', async () => {
  at('2026-02-01');
  const room = await world.room();
  const { id } = await alertIn(room, { openedAt: '2025-09-14T03:00:00.000Z', openedOn: '2025-09-14' });
  assert.equal(await row(id), { dueFrom: null, dueOn: null, stage: 'opened', toldStage: 'opened' });
  await evaluateOrganization(services, room.organizationId);
  assert.equal(await row(id), { dueFrom: '2026-02-01', dueOn: '2026-02-15', stage: 'opened', toldStage: 'opened' });
  assert.equal(await words(room), []);
});

test('a job that was down makes up nothing: the highest stage is told, once, by two processes too', async () => {
  const { room } = await staffed();
  await alertIn(room);
  at('2026-03-20');
  await Promise.all([follow(room), follow(room)]);
  await follow(room);
  assert.equal(await words(room), ['overdue principals', 'overdue admins']);
});

test('ALT-CAP-01: ten a day, the longest due first, the rest later', async () => {
  const { room, admin } = await staffed();
  const ids: string[] = [];
  for (let day = 12; day >= 1; day -= 1) {
    const openedOn = `2026-02-${String(day).padStart(2, '0')}`;
    ids.unshift((await alertIn(room, { openedOn, openedAt: `${openedOn}T03:00:00.000Z` })).id);
  }
  // All twelve are overdue for the third time by then.
  at('2026-04-01');
  await Promise.all([follow(room), follow(room)]);
  const audience = async (to: string) =>
    (await stagesTold(room)).filter((one) => one.to === to).map(({ alertId }) => alertId);
  assert.equal([(await audience('principals')).length, (await audience('admins')).length], [10, 10]);
  assert.equal(new Set(await audience('principals')), new Set(ids.slice(0, 10)));
  // The stage has come, whether it was told or not.
  for (const id of ids) assert.is((await row(id)).stage, 'overdue_again');
  await follow(room);
  assert.is((await audience('principals')).length, 10);
  at('2026-04-02');
  await follow(room);
  assert.equal(new Set(await audience('principals')), new Set(ids));
  assert.is((await audience('admins')).length, 12);
  await settle(room);
  assert.is((await inbox(admin)).length, 12);
});

test('without a teacher or principal who may sign in the next are told', async () => {
  const { room, principal, admin } = await staffed();
  await alertIn(room);
  await owner('app_user').where({ id: room.teacher.id }).update({ status: 'inactive' });
  at('2026-02-15');
  await follow(room);
  await settle(room);
  assert.equal(await inbox(principal), ['student_alert_assigned reminder']);
  await owner('app_user').where({ id: principal.id }).update({ status: 'inactive' });
  at('2026-03-01');
  await follow(room);
  await settle(room);
  assert.equal(await inbox(admin), ['student_alert_assigned overdue']);
  assert.equal(await words(room), ['reminder teachers', 'overdue admins']);
});

test('a calendar that changes moves the days; what was told stays told', async () => {
  const { room } = await staffed();
  const { id } = await alertIn(room);
  at('2026-02-15');
  await follow(room);
  const holidays = ['2026-02-10', '2026-02-11', '2026-02-12', '2026-02-15'];
  await owner('organization').where({ id: room.organizationId }).update({ holidays });
  at('2026-02-16');
  await follow(room);
  assert.equal(await row(id), { dueFrom: '2026-02-01', dueOn: '2026-02-19', stage: 'opened', toldStage: 'reminder' });
  at('2026-02-19');
  await follow(room);
  assert.equal([(await row(id)).stage, await words(room)], ['reminder', ['reminder teachers']]);
  const year = Array.from({ length: 500 }, (_, day) => new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10));
  await owner('organization').where({ id: room.organizationId }).update({ holidays: year });
  at('2026-02-20');
  await follow(room);
  assert.equal([(await row(id)).dueOn, (await row(id)).stage], [null, 'opened']);
});

test('an alert that is dismissed on its due day is not due; opened again it begins anew', async () => {
  const { room } = await staffed();
  const student = await world.student(room);
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
  const opened = await world.open(room, student);
  const alertId = opened?.alertId ?? '';
  at('2026-02-15');
  const body = { overrideCode: 'Alr_Already_Addressed_06' };
  const { body: dismissed } = await world.call(room, `/api/rti/alerts/${alertId}/dismiss`, body);
  assert.equal([dismissed.state, dismissed.dueOn, dismissed.stage], ['dismissed', null, 'opened']);
  await follow(room);
  assert.equal(await words(room), []);
  at('2026-03-01');
  await evaluateOrganization(services, room.organizationId);
  assert.equal(await row(alertId), {
    dueFrom: '2026-03-01',
    dueOn: '2026-03-15',
    stage: 'opened',
    toldStage: 'opened',
  });
});

test('a plan that was given since holds a Student_Alert, and its end begins the stages anew', async () => {
  const { room } = await staffed();
  const student = await world.student(room);
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
  const id = (await world.open(room, student))?.alertId ?? '';
  at('2026-02-15');
  await follow(room);
  const path = '/api/workflow/activate';
  const plan = await world.call(room, path, {
    ...{ studentId: student.id, bundle_id: 'SUP-DECODE-01', confirmOffRecommendation: true },
    overrideCode: 'Wfl_Bundle_Substitution_03',
  });
  assert.is(plan.status, 201, JSON.stringify(plan.body));
  at('2026-03-20');
  await follow(room);
  assert.equal([(await row(id)).dueOn, (await row(id)).stage], [null, 'reminder']);
  const { assignmentId } = plan.body as unknown as { assignmentId: string };
  const stopped = await world.call(room, '/api/workflow/review', {
    ...{ assignmentId, action: 'stop', reasonCode: 'Not_Suitable' },
  });
  assert.is(stopped.status, 200, JSON.stringify(stopped.body));
  await follow(room);
  const from = { dueFrom: '2026-03-20', dueOn: '2026-04-02' };
  assert.equal(await row(id), { ...from, stage: 'opened', toldStage: 'opened' });
  at('2026-04-02');
  await follow(room);
  assert.equal(await words(room), ['reminder teachers', 'reminder teachers']);
});

test('a plan that expires by itself begins the stages anew', async () => {
  const { room } = await staffed();
  const student = await world.student(room);
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
  const id = (await world.open(room, student))?.alertId ?? '';
  at('2026-02-15');
  const plan = await world.call(room, '/api/workflow/activate', {
    ...{ studentId: student.id, bundle_id: 'SUP-DECODE-01', confirmOffRecommendation: true },
    overrideCode: 'Wfl_Bundle_Substitution_03',
  });
  assert.is(plan.status, 201, JSON.stringify(plan.body));
  // Four weeks from 22 February, over on 21 March, and four weeks more.
  for (const date of ['2026-02-16', '2026-03-22', '2026-04-18', '2026-04-19']) {
    at(date);
    await checkAssignments(services, room.organizationId, app.clock.now());
    await follow(room);
    assert.is((await row(id)).dueOn, date === '2026-04-19' ? '2026-05-03' : null, date);
  }
  assert.is((await row(id)).dueFrom, '2026-04-19');
});

test('nothing is told on a demo', async () => {
  const { room } = await staffed();
  await alertIn(room);
  await owner('organization').where({ id: room.organizationId }).update({ isDemo: true });
  at('2026-03-20');
  await follow(room);
  assert.equal(await words(room), []);
});

test('a decision begins the stages anew', async () => {
  const { room } = await staffed();
  const { id, student } = await alertIn(room, { kind: 'Intensive_Review', severity: 4 });
  at('2026-02-15');
  await follow(room);
  await owner('rti_decision').insert({
    ...{ id: newId(), organizationId: room.organizationId, schoolYear: '2025-2026', studentId: student.id },
    ...{ decision: 'maintain', recommendedDecision: 'maintain', fromTier: 1, toTier: 1, effectiveOn: '2026-02-16' },
    ...{ committedAt: '2026-02-16T08:00:00.000Z', decidedBy: room.teacher.id, recommendationId: 'r1' },
    ...{ recommendation: '{}', facts: '{}', ruleVersions: '{}' },
  });
  at('2026-02-17');
  await follow(room);
  assert.equal(await row(id), { dueFrom: '2026-02-16', dueOn: '2026-03-02', stage: 'opened', toldStage: 'opened' });
});

test('under the version before, an alert opens as before: nothing is due, and no stage is told', async () => {
  at('2026-05-03');
  const room = await world.room();
  const { pin } = deskOf(app, () => {
    throw new Error('no request is inserted');
  });
  await pin({ 'rti/decision-packet': 1 });
  const student = await world.student(room);
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
  const opened = await world.open(room, student);
  assert.equal([opened?.kind, opened?.dueOn, opened?.stage], ['Student_Alert', null, 'opened']);
  await settle(room);
  assert.equal(await inbox(room.teacher), ['student_alert_assigned opened']);
  at('2026-06-21');
  await follow(room);
  assert.equal(await words(room), []);
  await pin({ 'rti/decision-packet': 2 });
  await follow(room);
  // Counted from this first run by rules with due days.
  assert.equal((await row(opened?.alertId ?? '')).dueFrom, '2026-06-21');
  assert.equal(await words(room), []);
});

test.run();
