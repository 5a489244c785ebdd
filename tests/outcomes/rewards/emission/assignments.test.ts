// 60 §1, growth within an assignment of support: step goals, less support, completion with all goals. Assignments are
// created over HTTP, and everything after them runs in the service.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { recordDeliveries } from '#support/interventions/deliveries/record.ts';
import { signIn, type UserRow } from '../../../harness/factories.ts';
import { halting, type Room } from '../../../support/interventions/classroom.ts';
import { answered } from '../../../support/interventions/deliveries/sessions.ts';
import { adjusted, confirmed, type Json } from '../../../support/interventions/workflow/draft-bodies.ts';
import { oneNeed } from '../../../support/rti/rti-world.ts';
import { useSettled } from '../settled.ts';

const world = useSettled(test);
const { owner } = world.app.database;
const bundle_id = 'LSA-MONITOR-01';
/** Two sessions, then a check with a goal of 0.8; from 0.9 on less support is needed. */
const shortPlan = { bundle_id, scaffoldTier: 'Level_2', ...confirmed };

let room: Room;
let student: UserRow;
test.before.each(async () => {
  world.app.clock.set('2026-01-12T08:00:00.000Z');
  room = await world.room();
  student = await world.student(room);
  await world.measure([student], oneNeed);
});

const token = () => signIn(world.app, room.teacher);
async function given(body: Json = shortPlan): Promise<string> {
  const asked = { studentId: student.id, ...body };
  const reply = await world.http.post<Json>('/api/workflow/activate', asked, { token: await token() });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return String(reply.body.assignmentId);
}
async function moved(assignmentId: string, body: Json): Promise<Json> {
  const asked = { assignmentId, ...body };
  const reply = await world.http.post<Json>('/api/workflow/review', asked, { token: await token() });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
}

/** A session a day from today on; answers the ids of the sessions. */
async function deliver(type: 'live' | 'blueprint', ...sessions: readonly ReturnType<typeof answered>[]) {
  const ids: string[] = [];
  for (const responses of sessions) {
    const now = world.app.clock.now();
    const id = newId();
    const session = {
      ...{ organizationId: room.organizationId, bundle_id, now, deliveredOn: now.toISOString().slice(0, 10) },
      ...{ source: { type, id }, present: [{ studentId: student.id, responses }] },
    };
    await inContext(world.services.db, { organizationId: room.organizationId }, (trx) =>
      recordDeliveries(trx, world.services, session),
    );
    await world.settle();
    ids.push(id);
    world.days(1);
  }
  return ids;
}
const booked = async () =>
  (await world.rows('xp_transaction', student)).map(({ kind, amount, sessionKey }) => [kind, amount, sessionKey]);

test('a step, less support and the assignment: three events of one session, in this order', async () => {
  const plan = await given();
  await deliver('live', [], []);
  assert.equal(await world.minted(student), [], 'sessions alone are no growth');
  const at = world.app.clock.now().toISOString();
  const [session] = await deliver('live', answered(9, 1));
  const own = ['bundle_assignment', plan, `live:${session}`];
  assert.equal(await world.minted(student), [
    ['bundle_step_goal_met', `${plan}:2`, ...own, null],
    ['scaffold_tier_step_up', `${plan}:Level_2:Level_1`, ...own, 'Level_1'],
    ['bundle_completion', plan, ...own, null],
  ]);
  for (const event of await world.events(student)) assert.is(event.occurredAt, at);
  assert.equal(await booked(), [
    ['credit', 15, `live:${session}`],
    ['badge_bonus', 10, null],
    ['credit', 25, `live:${session}`],
    ['badge_bonus', 10, null],
    ['credit', 60, `live:${session}`],
    ['badge_bonus', 10, null],
  ]);
  const badges = (await world.rows('student_badge', student)).map(({ code }) => code);
  assert.equal(badges, ['first_step', 'bridge_builder', 'growing_wings'], 'one an event, the first that is not held');
  await deliver('live', answered(9, 1));
  assert.is((await world.minted(student)).length, 3, 'the plan is over');
});

test('a goal that is met with less than 0.9 steps no support up; a prepared session is named as such', async () => {
  const plan = await given();
  const [, , session] = await deliver('blueprint', [], [], answered(8, 2));
  assert.equal(
    (await world.minted(student)).map(([kind, , , , sessionKey]) => [kind, sessionKey]),
    [
      ['bundle_step_goal_met', `blueprint:${session}`],
      ['bundle_completion', `blueprint:${session}`],
    ],
  );
  assert.is((await world.events(student))[1]?.naturalKey, plan);
});

test('an assignment that ends without its goals, or that people step up or stop, is no growth', async () => {
  const plan = await given();
  await moved(plan, { action: 'step_up', ...adjusted });
  await moved(plan, { action: 'complete', ...adjusted });
  await moved(await given(), { action: 'stop', reasonCode: 'Need_Changed' });
  await world.settle();
  assert.equal(await world.minted(student), []);
});

test('completed by review with every goal met: the assignment is its own session, also beside one of that moment', async () => {
  const plan = await given();
  const at = world.app.clock.now().toISOString();
  await deliver('live', []);
  const [row] = await owner('bundle_assignment').where({ id: plan });
  const met = { goalState: 'met', scored: 10, correct: 9 };
  const steps = row.steps.map((step: Json) => (step.goal ? { ...step, ...met } : step));
  await owner('bundle_assignment')
    .where({ id: plan })
    .update({ steps: JSON.stringify(steps) });
  world.app.clock.set(at);
  assert.is((await moved(plan, { action: 'complete' })).completionResult, 'goals_met');
  await world.settle();
  assert.equal(await world.minted(student), [
    ['bundle_completion', plan, 'bundle_assignment', plan, `assignment:${plan}`, null],
  ]);
  assert.is((await world.events(student))[0]?.occurredAt, at);
});

test('while the student is halted no goal is evaluated and no event recorded; the goal earns when it is evaluated', async () => {
  const plan = await given();
  await deliver('live', [], []);
  await world.measure([student], halting);
  await deliver('live', answered(9, 1));
  assert.equal([await world.minted(student), await world.waiting(student)], [[], 0]);
  await world.measure([student], { LK_FORM: 'CCCCC' });
  const [session] = await deliver('live', []);
  assert.equal(
    (await world.minted(student)).map(([kind, naturalKey, , , sessionKey]) => [kind, naturalKey, sessionKey]),
    [
      ['bundle_step_goal_met', `${plan}:2`, `live:${session}`],
      ['scaffold_tier_step_up', `${plan}:Level_2:Level_1`, `live:${session}`],
      ['bundle_completion', plan, `live:${session}`],
    ],
  );
});

test('a void that ends a halt meets no goal by itself, nor does its restoring: only a session does', async () => {
  const plan = await given();
  await deliver('live', [], []);
  await world.measure([student], halting);
  await deliver('live', answered(9, 1));
  const stepOf = async () => {
    const { steps, currentStepNo } = await owner('bundle_assignment').where({ id: plan }).first();
    return [currentStepNo, steps.map(({ goalState }: Json) => goalState)];
  };
  const held = await stepOf();
  assert.equal(held, [2, ['none', 'pending']]);
  const [{ id: sessionId }] = await owner('diagnostic_session')
    .where({ studentId: student.id })
    .orderBy('finishedAt', 'desc');
  const post = async (path: string, body: Json) => {
    const reply = await world.http.post<{ voidId: number }>(path, body, { token: await token() });
    assert.ok(reply.status < 300, JSON.stringify(reply.body));
    await world.settle();
    return reply.body.voidId;
  };
  const takeBack = () => post(`/api/diagnostic-sessions/${sessionId}/void`, { reasonCode: 'disturbed' });
  const voidId = await takeBack();
  assert.equal([await stepOf(), await world.minted(student), await world.waiting(student)], [held, [], 0]);
  await post(`/api/evidence-voids/${voidId}/restore`, {});
  await takeBack();
  assert.equal([await stepOf(), await world.minted(student)], [held, []]);
  const [session] = await deliver('live', []);
  const [[kind, naturalKey, , , sessionKey] = []] = await world.minted(student);
  assert.equal([kind, naturalKey, sessionKey], ['bundle_step_goal_met', `${plan}:2`, `live:${session}`]);
});

test('a student who was halted between the session and its context gets nothing of it, then or later', async () => {
  await given();
  await deliver('live', [], []);
  const session = { type: 'live', id: newId() } as const;
  const now = world.app.clock.now();
  await inContext(world.services.db, { organizationId: room.organizationId }, (trx) =>
    recordDeliveries(trx, world.services, {
      ...{ organizationId: room.organizationId, bundle_id, now, deliveredOn: now.toISOString().slice(0, 10) },
      ...{ source: session, present: [{ studentId: student.id, responses: answered(9, 1) }] },
    }),
  );
  await world.measure([student], halting);
  await world.settle();
  assert.equal([await world.minted(student), await world.waiting(student)], [[], 0]);
  await world.measure([student], { LK_FORM: 'CCCCC' });
  await world.settle();
  assert.equal(await world.minted(student), []);
});

test.run();
