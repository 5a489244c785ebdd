// Recording of deliveries (contract 51 §5.1, 50 §2.5): which sessions become rows, their effect on steps, goals and scaffold
// tier, and their events.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRight, confirmed, type Json, monday, type Pupil, today, wordsWrong } from '../workflow/draft-bodies.ts';
import { answered, useSessions } from './sessions.ts';

const test = suite('deliveries');
const sessions = useSessions(test);
const { plans, deliver, told: reported, ledger, at } = sessions;
const { app } = plans.shell;

let pupil: Pupil;
let assignmentId: string;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

/** The second school day after today is a Wednesday. */
const days = ['2026-01-12', '2026-01-13', '2026-01-14', '2026-01-15', '2026-01-18', '2026-01-19', '2026-01-20'];

/** A session each school day, from today on. */
async function deliverEach(all: readonly { readonly responses?: ReturnType<typeof answered> }[], bundle_id?: string) {
  for (const [number, session] of all.entries()) {
    at(days[number] ?? '');
    await deliver(pupil, { ...session, ...(bundle_id !== undefined && { bundle_id }) });
  }
}

const shortPlan = { bundle_id: 'LSA-MONITOR-01', scaffoldTier: 'Level_2', ...confirmed };

test('one row: the session, its day, the step, the answers; and the assignment is one session further', async () => {
  assignmentId = await plans.given(pupil);
  const source = { type: 'blueprint', id: 'session-1' } as const;
  const recorded = await deliver(pupil, { source, responses: answered(1, 1) });
  assert.equal(recorded, [{ studentId: pupil.id, assignmentId, stepNo: 1 }]);
  const [{ id: _id, ...row } = {}, ...more] = await ledger(pupil);
  assert.equal(more, []);
  assert.equal(row, {
    ...{ organizationId: pupil.organizationId, schoolYear: '2025-2026', assignmentId, studentId: pupil.id },
    ...{ sourceType: 'blueprint', sourceId: 'session-1', deliveredOn: today, stepNo: 1, halted: false },
    ...{ responses: answered(1, 1), recordedAt: monday },
  });
  const { steps, currentStepNo, trackStatus } = await plans.row(pupil, assignmentId);
  const [first] = steps;
  assert.equal([first?.deliveredSessions, first?.scored, first?.correct, first?.rate], [1, 2, 1, 0.5]);
  assert.equal([currentStepNo, trackStatus], [1, 'on_track']);
  assert.equal(await reported(pupil), ['assignment.activated'], 'a session alone is nothing to tell');
});

test('a second session of a day, and a session recorded twice, add no rows', async () => {
  assignmentId = await plans.given(pupil);
  const source = { type: 'live', id: 'twice' } as const;
  assert.is((await deliver(pupil, { source })).length, 1);
  assert.equal(await deliver(pupil), [], 'another session of the day');
  at('2026-01-13');
  assert.equal(await deliver(pupil, { source }), [], 'the same session, reported a day later');
  assert.is((await deliver(pupil, { source: { type: 'blueprint', id: 'twice' } })).length, 1, 'of another kind');
  assert.equal([(await ledger(pupil)).length, await delivered()], [2, 2]);
});

const delivered = async () => (await plans.row(pupil, assignmentId)).steps[0]?.deliveredSessions;

test('no row: another bundle, before the first day, paused, ended, or gone', async () => {
  assert.equal(await deliver(pupil), [], 'without a plan');
  assignmentId = await plans.given(pupil);
  const nothing = async (why: string, session = {}) => {
    assert.equal(await deliver(pupil, session), [], why);
    assert.is(await delivered(), 0, why);
  };
  await nothing('another bundle', { bundle_id: 'SUP-DECODE-01' });
  await nothing('before the plan began', { deliveredOn: '2026-01-11' });
  const review = (body: Json) => plans.review(pupil, { assignmentId, ...body });
  await review({ action: 'pause', reasonCode: 'School_Break' });
  await nothing('paused');
  await review({ action: 'resume' });
  await review({ action: 'stop', reasonCode: 'Need_Changed' });
  await nothing('stopped');
  assignmentId = await plans.given(pupil);
  const left = `/api/classes/${pupil.classRow.id}/students/${pupil.id}`;
  assert.is((await app.delete(left, { token: await plans.admin(pupil) })).status, 204);
  await nothing('in no class any more, though the plan has not heard of it');
  assert.equal(await ledger(pupil), []);
});

test('of a class each who was there and works on the bundle gets a row, the others none', async () => {
  const [second, third] = [await plans.classmate(pupil), await plans.classmate(pupil)];
  assignmentId = await plans.given(pupil);
  const other = await plans.given(third);
  const never = await plans.classmate(pupil, null);
  const recorded = await deliver([third, second, pupil, never]);
  assert.equal(recorded.map((one) => one.assignmentId).sort(), [assignmentId, other].sort());
  assert.equal(await ledger(second), []);
  assert.equal(await deliver([]), []);
});

test('AS-03: a session on its first day starts a scheduled assignment, before the effects of the session', async () => {
  assignmentId = await plans.given(pupil, { startOn: '2026-01-13' });
  assert.equal(await deliver(pupil, { deliveredOn: '2026-01-13' }), [], 'the day has not come');
  at('2026-01-13');
  assert.is((await deliver(pupil)).length, 1);
  const { state, trackStatus } = await plans.row(pupil, assignmentId);
  assert.equal([state, trackStatus, await reported(pupil)], ['active', 'on_track', ['assignment.activated']]);
});

test('STP-02, STP-03: steps advance, the goal is met, and the assignment is completed with goals_met, with events in order', async () => {
  assignmentId = await plans.given(pupil, shortPlan);
  const bundle = 'LSA-MONITOR-01';
  await deliverEach([{}, {}], bundle);
  assert.is((await plans.row(pupil, assignmentId)).currentStepNo, 2);
  at('2026-01-18');
  await deliver(pupil, { bundle_id: bundle, responses: answered(9, 1) });
  const { state, completionResult, currentStepNo, endedOn, scaffoldTier, trackStatus, steps } = await plans.row(
    pupil,
    assignmentId,
  );
  assert.equal(
    [state, completionResult, currentStepNo, endedOn, scaffoldTier, trackStatus],
    ['completed', 'goals_met', null, '2026-01-18', 'Level_1', 'not_applicable'],
  );
  assert.equal([steps[1]?.goalState, steps[1]?.scored, steps[1]?.rate], ['met', 10, 0.9]);
  assert.equal(await reported(pupil), [
    'assignment.activated',
    'bundle.step_goal_met 2',
    'bundle.scaffold_step_up Level_2 Level_1',
    'plan.modification_suggested plan_completed',
    'bundle.completed',
    'assignment.closed completed goals_met',
  ]);
  at('2026-01-19');
  assert.equal(await deliver(pupil, { bundle_id: bundle }), [], 'it is over');
});

test('STP-04: twice as many sessions without the goal: a suggestion, more support, goals_not_met', async () => {
  assignmentId = await plans.given(pupil, shortPlan);
  await deliverEach([{}, {}, { responses: answered(2, 4) }, {}, {}], 'LSA-MONITOR-01');
  assert.is((await plans.row(pupil, assignmentId)).state, 'active');
  await deliverEach([{}, {}, {}, {}, {}, {}], 'LSA-MONITOR-01');
  const { state, completionResult, scaffoldTier } = await plans.row(pupil, assignmentId);
  assert.equal([state, completionResult, scaffoldTier], ['completed', 'goals_not_met', 'Level_3']);
  assert.equal(await reported(pupil), [
    'assignment.activated',
    'plan.modification_suggested step_goal_not_met',
    'plan.modification_suggested plan_completed',
    'assignment.closed completed goals_not_met',
  ]);
});

test('goals are evaluated by the target sub-skills, and by the first answer to an item in each session', async () => {
  assignmentId = await plans.given(pupil, shortPlan);
  const wrong = answered(0, 6).map((one) => ({ ...one, correct: false }));
  const right = answered(6, 0);
  await deliverEach(
    [{}, {}, { responses: [...wrong, ...right, ...answered(9, 0, 'LIS_LITERAL')] }, { responses: right }],
    'LSA-MONITOR-01',
  );
  const { steps, state } = await plans.row(pupil, assignmentId);
  assert.equal([state, steps[1]?.scored, steps[1]?.correct, steps[1]?.rate], ['active', 12, 6, 0.5]);
});

test('STP-01: a halted student gets the row and no goal is evaluated; the responses count the next time', async () => {
  assignmentId = await plans.given(pupil, shortPlan);
  await deliverEach([{}, {}], 'LSA-MONITOR-01');
  at('2026-01-14');
  await plans.measure(pupil, { ...wordsWrong, LK_FORM: 'CCC' }, 5);
  assert.equal(
    (await deliver(pupil, { bundle_id: 'LSA-MONITOR-01', responses: answered(6, 0) })).map(({ stepNo }) => stepNo),
    [2],
  );
  const held = await plans.row(pupil, assignmentId);
  assert.equal(
    [held.state, held.currentStepNo, held.steps[1]?.deliveredSessions, held.steps[1]?.goalState, held.trackStatus],
    ['active', 2, 1, 'pending', 'on_track'],
  );
  assert.equal(
    (await ledger(pupil)).map(({ halted }) => halted),
    [false, false, true],
  );
  assert.equal(await reported(pupil), ['assignment.activated']);
  at('2026-01-15');
  await plans.measure(pupil, { ...allRight, LK_FORM: 'CCCC' }, 9);
  await deliver(pupil, { bundle_id: 'LSA-MONITOR-01' });
  const after = await plans.row(pupil, assignmentId);
  assert.equal([after.state, after.completionResult, after.steps[1]?.scored], ['completed', 'goals_met', 6]);
});

test('G-07: off track after four weeks without a session, once; the next session leaves it at once', async () => {
  assignmentId = await plans.given(pupil, { startOn: '2025-12-14' });
  assert.is((await plans.row(pupil, assignmentId)).trackStatus, 'off_track');
  await deliver(pupil);
  assert.is((await plans.row(pupil, assignmentId)).trackStatus, 'behind');
  assert.equal(await reported(pupil), ['assignment.activated', 'plan.modification_suggested off_track_no_delivery']);
});

test.run();
