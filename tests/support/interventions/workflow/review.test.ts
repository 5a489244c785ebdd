// Reviews of an assignment (contract 52 §7.2): allowed states, the order of checks, and effects.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkAssignments } from '#support/interventions/assignments/jobs.ts';
import type { StepState } from '#support/interventions/engine/assignments/steps.ts';
import {
  buildClass,
  buildPrincipal,
  buildSchool,
  buildStudent,
  buildTeacher,
  signIn,
} from '../../../harness/factories.ts';
import {
  adjusted,
  allRight,
  confirmed,
  type Json,
  monday,
  type Pupil,
  reported,
  today,
  usePlans,
} from './draft-bodies.ts';

const test = suite('review of an assignment');
const plans = usePlans(test);
const { shell } = plans;
const { app } = shell;
const { owner } = app.database;
const dayMs = 86_400_000;

let pupil: Pupil;
let assignmentId: string;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
  assignmentId = await plans.given(pupil);
});

const review = (body: Json, token?: string) => plans.review(pupil, { assignmentId, ...body }, token);

async function refused(body: Json, expected: readonly unknown[], token?: string): Promise<void> {
  const before = await plans.written(pupil);
  assert.equal(reported(await review(body, token)), expected, JSON.stringify(body));
  assert.equal(await plans.written(pupil), before, 'nothing is written');
}

async function moved(body: Json): Promise<Json> {
  const reply = await review(body);
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
}

const noMove = [409, 'CONFLICT', 'action invalid_transition'] as const;
const pause = { action: 'pause', reasonCode: 'School_Break' };
const stop = { action: 'stop', reasonCode: 'Need_Changed' };

/** Sets the goals of an assignment as if sessions had been delivered; `rate` of the newest evaluated step. */
async function evaluatedRows(states: readonly ('met' | 'not_met' | 'pending')[], rate = 0.9): Promise<void> {
  const { steps } = await plans.row(pupil, assignmentId);
  const goals = steps.filter(({ goal }) => goal);
  const after = steps.map((step): StepState => {
    const goalState = states[goals.indexOf(step)] ?? 'pending';
    return step.goal ? { ...step, goalState, ...(goalState !== 'pending' && { scored: 10, correct: 9, rate }) } : step;
  });
  await plans.change(pupil, assignmentId, { steps: JSON.stringify(after) });
}

test('pause and resume: the reason, the days, and no sessions owed meanwhile', async () => {
  const paused = await moved(pause);
  assert.equal(
    [paused.state, paused.reasonCode, paused.pauses, paused.trackStatus],
    ['paused', 'School_Break', [{ from: today, to: null }], 'not_applicable'],
  );
  await refused(pause, noMove);
  app.clock.advance(9 * dayMs);
  const resumed = await moved({ action: 'resume' });
  assert.equal(
    [resumed.state, resumed.reasonCode, resumed.pauses, resumed.trackStatus],
    ['active', null, [{ from: today, to: '2026-01-21' }], 'awaiting_first_session'],
  );
  await refused({ action: 'resume' }, noMove);
  const again = await moved(pause);
  assert.equal(again.pauses, [
    { from: today, to: '2026-01-21' },
    { from: '2026-01-21', to: null },
  ]);
});

test('stop ends it, from every open state, with one event', async () => {
  const stopped = await moved(stop);
  assert.equal(
    [stopped.state, stopped.reasonCode, stopped.endedOn, stopped.completionResult, stopped.trackStatus],
    ['stopped', 'Need_Changed', today, null, 'not_applicable'],
  );
  assert.equal((await plans.events(pupil)).at(-1), {
    topic: 'assignment.closed',
    payload: {
      ...{ studentId: pupil.id, assignmentId, bundle_id: 'BND-DECODE-01' },
      ...{ state: 'stopped', completionResult: null, reasonCode: 'Need_Changed' },
    },
  });
  for (const body of [stop, pause, { action: 'resume' }, { action: 'complete' }]) await refused(body, noMove);
  assignmentId = await plans.given(pupil, { startOn: '2026-02-01' });
  assert.equal((await moved(stop)).state, 'stopped');
  assignmentId = await plans.given(pupil);
  await moved(pause);
  assert.equal((await moved(stop)).state, 'stopped');
});

test('extend: two weeks more, near the end without a reason; before that against the progress; the third time not at all', async () => {
  await refused({ action: 'extend' }, [409, 'CONFLICT', 'action confirmation_required']);
  const meant = { action: 'extend', confirmOffRecommendation: true };
  await refused(meant, [422, 'VALIDATION_ERROR', 'overrideCode override_required']);
  const first = await moved({ action: 'extend', ...adjusted });
  assert.equal([first.plannedWeeks, first.extensions, first.overrideCode], [10, 1, null]);
  assert.is((await plans.row(pupil, assignmentId)).moveOverrideCode, 'Wfl_Plan_Adjustment_04');
  // Eight of ten planned weeks are over, counted from 18 January.
  app.clock.advance(64 * dayMs);
  await refused({ action: 'extend', ...adjusted }, [422, 'VALIDATION_ERROR', 'overrideCode override_not_needed']);
  const second = await moved({ action: 'extend' });
  assert.equal([second.plannedWeeks, second.extensions], [12, 2]);
  await refused({ action: 'extend' }, [409, 'CONFLICT', 'action extend_limit']);
  await refused({ action: 'extend', ...adjusted }, [409, 'CONFLICT', 'action extend_limit']);
});

test('step_up: by itself after a goal met with 0.9; else with a reason; never beyond Level_1', async () => {
  await refused({ action: 'step_up' }, [409, 'CONFLICT', 'action confirmation_required']);
  await evaluatedRows(['met'], 0.8999);
  await refused({ action: 'step_up' }, [409, 'CONFLICT', 'action confirmation_required']);
  await evaluatedRows(['not_met', 'met'], 0.9);
  assert.is((await moved({ action: 'step_up' })).scaffoldTier, 'Level_2');
  await evaluatedRows(['met', 'not_met'], 0.9);
  assert.is((await moved({ action: 'step_up', ...adjusted })).scaffoldTier, 'Level_1');
  await refused({ action: 'step_up', ...adjusted }, [409, 'CONFLICT', 'action tier_bound']);
});

test('step_down: by itself after a goal not met; else with a reason; never beyond Level_3', async () => {
  await refused({ action: 'step_down' }, [409, 'CONFLICT', 'action tier_bound']);
  await plans.change(pupil, assignmentId, { scaffoldTier: 'Level_1' });
  await refused({ action: 'step_down' }, [409, 'CONFLICT', 'action confirmation_required']);
  await evaluatedRows(['met', 'not_met']);
  assert.is((await moved({ action: 'step_down' })).scaffoldTier, 'Level_2');
});

test('complete: with every goal met goals_met; before that with a reason, and goals_not_met', async () => {
  await refused({ action: 'complete' }, [409, 'CONFLICT', 'action confirmation_required']);
  const early = await moved({ action: 'complete', ...adjusted });
  assert.equal(
    [early.state, early.completionResult, early.currentStepNo, early.endedOn],
    ['completed', 'goals_not_met', null, today],
  );
  // Completed today and not measured since: nothing is recommended.
  assignmentId = await plans.given(pupil, confirmed);
  await evaluatedRows(['met', 'met', 'met', 'met']);
  assert.is((await moved({ action: 'complete' })).completionResult, 'goals_met');
  const closed = (await plans.events(pupil)).filter(({ topic }) => topic === 'assignment.closed');
  assert.equal(
    closed.map(({ payload }) => (payload as Json).completionResult),
    ['goals_not_met', 'goals_met'],
  );
});

test('replace: the old one does not count, the new one equals an activation; by the same bundle 409', async () => {
  await refused({ action: 'replace', bundle_id: 'BND-DECODE-01' }, [409, 'CONFLICT', 'bundle_id already_open']);
  const other = { action: 'replace', bundle_id: 'SUP-DECODE-01' };
  await refused(other, [409, 'CONFLICT', 'bundle_id confirmation_required']);
  await refused({ ...other, confirmOffRecommendation: true }, [
    422,
    'VALIDATION_ERROR',
    'overrideCode override_required',
  ]);
  await refused({ action: 'replace', bundle_id: 'NIO-CORE-01' }, [422, 'VALIDATION_ERROR', 'bundle_id not_assignable']);
  await plans.given(pupil, { bundle_id: 'BND-COMP-01', ...confirmed });
  const { superseded, assignment } = (await moved({ ...other, ...confirmed, startOn: '2026-01-20' })) as Record<
    'superseded' | 'assignment',
    Json
  >;
  assert.equal(
    [superseded.assignmentId, superseded.state, superseded.endedOn, superseded.reasonCode],
    [assignmentId, 'superseded', today, null],
  );
  assert.equal(
    [assignment.bundle_id, assignment.state, assignment.startOn, assignment.overrideCode],
    ['SUP-DECODE-01', 'scheduled', '2026-01-20', 'Wfl_Bundle_Substitution_03'],
  );
  await refused({ ...other, ...confirmed }, noMove);
});

test('replace is compared with the recommendation without the replaced assignment', async () => {
  const second = await plans.given(pupil, { bundle_id: 'SUP-DECODE-01', ...confirmed });
  // While the first one is open it is the recommended one; replacing it by the recommendation without it needs no reason.
  await plans.review(pupil, { assignmentId, ...stop });
  const reply = await plans.review(pupil, { assignmentId: second, action: 'replace', bundle_id: 'BND-DECODE-01' });
  assert.equal([reply.status, (reply.body.assignment as Json).overrideCode], [200, null]);
});

test('acknowledge_off_track: only while off track, and it stays so', async () => {
  await refused({ action: 'acknowledge_off_track' }, noMove);
  app.clock.advance(28 * dayMs);
  const seen = await moved({ action: 'acknowledge_off_track' });
  assert.equal([seen.trackStatus, seen.offTrackAcknowledgedAt], ['off_track', app.clock.now().toISOString()]);
  await moved(pause);
  await refused({ action: 'acknowledge_off_track' }, noMove);
});

test('reassign: to an active member of the staff of the school', async () => {
  const colleague = await buildTeacher(owner, pupil.classRow, 'SECONDARY');
  assert.is((await moved({ action: 'reassign', providerUserId: colleague.id })).providerUserId, colleague.id);
  await refused({ action: 'reassign', providerUserId: pupil.id }, [
    ...[422, 'VALIDATION_ERROR', 'providerUserId not_staff_of_school'],
  ]);
  await moved(stop);
  await refused({ action: 'reassign', providerUserId: colleague.id }, noMove);
});

test('order: faults of the call precede a missing assignment', async () => {
  const nowhere = { assignmentId: 'a23456789012345678901234' };
  const rows = [
    [{ action: 'resume', reasonCode: 'School_Break' }, 'reasonCode not_for_action'],
    [{ ...pause, bundle_id: 'BND-COMP-01' }, 'bundle_id not_for_action'],
    [{ action: 'extend', startOn: today }, 'startOn not_for_action'],
    [{ action: 'pause' }, 'reasonCode required'],
    [{ action: 'replace' }, 'bundle_id required'],
    [{ action: 'reassign' }, 'providerUserId required'],
    [{ action: 'pause', reasonCode: 'Need_Changed' }, 'reasonCode wrong_scope'],
    [{ action: 'stop', reasonCode: 'No_Such_Code' }, 'reasonCode unknown_code'],
    [{ action: 'extend', overrideCode: 'Gam_Award_Invalid_05' }, 'overrideCode wrong_scope'],
    [{ action: 'replace', bundle_id: 'BND-COMP-01', startOn: '2025-01-01' }, 'startOn out_of_range'],
  ] as const;
  for (const [body, issue] of rows) await refused({ ...body, ...nowhere }, [422, 'VALIDATION_ERROR', issue]);
  await refused({ ...pause, ...nowhere }, [404, 'NOT_FOUND']);
  await refused({ ...pause, assignmentId: 'no-id' }, [
    ...[422, 'VALIDATION_ERROR'],
    ...reported(await review({ ...pause, assignmentId: 'no-id' })).slice(2),
  ]);
});

test('order: of another organization 404, of another class 403, a principal 403 before the body', async () => {
  const stranger = await plans.pupil();
  await refused(pause, [404, 'NOT_FOUND'], stranger.token);
  const schoolId = (await buildSchool(owner, { organizationId: pupil.organizationId })).id;
  const elsewhere = await buildClass(owner, { organizationId: pupil.organizationId, schoolId });
  await refused(pause, [403, 'PERMISSION_DENIED'], await signIn(app, await buildTeacher(owner, elsewhere)));
  const principal = await signIn(app, await buildPrincipal(owner, { ...pupil.classRow, id: pupil.classRow.schoolId }));
  await refused({ nonsense: 1 }, [403, 'PERMISSION_DENIED'], principal);
  assert.is((await review(pause, await plans.admin(pupil))).status, 200);
});

test('order: the state comes before the halt, the halt before limits, limits before confirmation', async () => {
  await halt();
  await refused({ action: 'resume' }, noMove);
  for (const body of [
    { action: 'step_down' },
    { action: 'step_up' },
    { action: 'complete' },
    { action: 'replace', bundle_id: 'BND-COMP-01', ...confirmed },
  ]) {
    const before = await plans.written(pupil);
    const { status, body: answer } = await review(body);
    assert.equal(
      [status, answer],
      [
        200,
        {
          ...{ outcome: 'blocked_insufficient_evidence', recommended_bundle_id: null },
          nextRecommendedDataAction: 'administer_more_items',
        },
      ],
    );
    assert.equal(await plans.written(pupil), before);
  }
});

test('while halted a review writes nothing that has become due either: the daily job does', async () => {
  const waiting = await plans.pupil();
  const assignmentId = await plans.given(waiting, { startOn: '2026-01-14' });
  app.clock.set('2026-01-15T08:00:00.000Z');
  await plans.measure(waiting, { DEC_MULTI: 'CC' });
  const before = await plans.written(waiting);
  const { body } = await plans.review(waiting, { assignmentId, action: 'complete' });
  assert.is(body.outcome, 'blocked_insufficient_evidence', JSON.stringify(body));
  assert.equal(await plans.written(waiting), before);
  await checkAssignments(app.services, waiting.organizationId, app.clock.now());
  assert.is((await plans.row(waiting, assignmentId)).state, 'active');
});

test('while halted an assignment may be paused, resumed, extended, given to another provider and stopped', async () => {
  await halt();
  await moved(pause);
  await moved({ action: 'resume' });
  await moved({ action: 'extend', ...adjusted });
  await moved({ action: 'reassign', providerUserId: pupil.teacher.id });
  await moved(stop);
});

/** A second part with too few answers (contract 52 §11, G-02). */
async function halt(): Promise<void> {
  app.clock.advance(3_600_000);
  await plans.measure(pupil, { DEC_MULTI: 'CC' });
  const { body } = await app.get<Json>(`/api/students/${pupil.id}/bundle-recommendation`, {
    token: await signIn(app, pupil.teacher),
  });
  assert.is(body.outcome, 'blocked_insufficient_evidence', JSON.stringify(body));
}

test('between classes: 409 no_grade for every move', async () => {
  const token = await plans.admin(pupil);
  await owner('enrollment').where({ studentId: pupil.id }).update({ enrolledTo: today });
  for (const body of [pause, stop, { action: 'extend' }]) {
    await refused(body, [409, 'CONFLICT', 'studentId no_grade'], token);
  }
});

test('an assignment whose day has come starts with the first move', async () => {
  const well = await plans.classmate(pupil, allRight);
  pupil = well;
  assignmentId = await plans.given(well, { ...confirmed, startOn: '2026-01-14' });
  await refused(pause, noMove);
  app.clock.advance(2 * dayMs);
  await moved(pause);
  assert.equal(
    (await plans.events(well)).filter(({ payload }) => (payload as Json).assignmentId === assignmentId).length,
    1,
    'it has begun before it rests',
  );
});

test('a student of another class keeps the assignment, and the new teacher can review it', async () => {
  const schoolId = pupil.classRow.schoolId;
  const next = await buildClass(owner, { organizationId: pupil.organizationId, schoolId, grade: 2 });
  await buildStudent(owner, next);
  const token = await signIn(app, await buildTeacher(owner, next));
  const admin = await plans.admin(pupil);
  const reply = await app.post(`/api/classes/${next.id}/students`, { studentIds: [pupil.id] }, { token: admin });
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  await refused(pause, [403, 'PERMISSION_DENIED']);
  const paused = await review(pause, token);
  assert.equal([paused.status, paused.body.classId], [200, next.id]);
});

test.run();
