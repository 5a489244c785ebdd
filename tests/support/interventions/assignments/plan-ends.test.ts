// The ends of plans by the daily run: told once, expired four weeks of school later (AS-13), whatever happens in between. A plan
// of two weeks from Sunday, 11 January 2026, ends on Saturday, the 24th.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobsOf } from '#core/module/capability.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { deliverWaiting } from '#messaging/notifications/dispatch/deliver.ts';
import { checkAssignments } from '#support/interventions/assignments/jobs.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { buildPrincipal, buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import { deskOf } from '../../../messaging/notifications/desk.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';
import { halting } from '../classroom.ts';
import { answered, useSessions } from '../deliveries/sessions.ts';
import { confirmed, type Json, monday, type Pupil, today } from '../workflow/draft-bodies.ts';

const test = suite('ends of plans');
const { plans, deliver, told, at } = useSessions(test);
const { app, services } = plans.shell;
const { owner } = app.database;

let pupil: Pupil;
let assignmentId: string;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
});

/** Two weeks of three sessions. */
async function given(body: Json = { startOn: '2026-01-11' }): Promise<void> {
  assignmentId = await plans.given(pupil, body);
  await plans.change(pupil, assignmentId, { plannedWeeks: 2 });
}

const daily = () => checkAssignments(services, pupil.organizationId, app.clock.now());
async function onDay(date: string): Promise<void> {
  at(date);
  await daily();
}
async function onDays(from: string, to: string): Promise<void> {
  for (let date = from; date <= to; date = daysAfter(date, 1)) await onDay(date);
}

const suggestions = async () =>
  (await told(pupil)).flatMap((one) =>
    one.startsWith('plan.') ? [one.replace('plan.modification_suggested ', '')] : [],
  );
const ends = async () => (await suggestions()).filter((one) => one !== 'off_track_no_delivery');
const stored = async () => {
  const { state, completionResult, reasonCode, endedOn } = await plans.row(pupil, assignmentId);
  return [state, completionResult, reasonCode, endedOn];
};
const passed = async () => (await plans.row(pupil, assignmentId)).pastEndSince;
const endsOn = async () => {
  const token = await signIn(app, pupil.teacher);
  return (await app.get<Json>(`/api/bundle-assignments/${assignmentId}`, { token })).body.endsOn;
};
const calendarOf = (holidays: readonly string[]) =>
  owner('organization')
    .where({ id: pupil.organizationId })
    .update({ holidays: [...holidays] });
const days = (from: string, to: string): string[] => (from > to ? [] : [from, ...days(daysAfter(from, 1), to)]);
const review = (body: Json) => plans.review(pupil, { assignmentId, ...body });

/** Three sessions in each week. */
async function teach(...weeks: readonly string[]): Promise<void> {
  for (const week of weeks) {
    for (const ahead of [0, 1, 2]) {
      at(daysAfter(week, ahead));
      await deliver(pupil);
    }
  }
}

test('a plan that was not given: told once after its end, by two runs at once too, and stopped four weeks later', async () => {
  await given();
  assert.is(await endsOn(), '2026-01-24');
  await onDays('2026-01-12', '2026-01-24');
  assert.equal([await ends(), await passed()], [[], null]);
  at('2026-01-25');
  await Promise.all([daily(), daily()]);
  await onDays('2026-01-26', '2026-02-21');
  assert.equal([await ends(), await passed()], [['plan_overdue'], '2026-01-25']);
  assert.equal(await stored(), ['active', null, null, null]);
  at('2026-02-22');
  await Promise.all([daily(), daily()]);
  assert.equal(await stored(), ['stopped', null, 'Plan_Expired', '2026-02-22']);
  assert.equal(await ends(), ['plan_overdue', 'plan_expired']);
  assert.match((await told(pupil)).at(-1) ?? '', /^assignment.closed stopped/);
  await onDays('2026-02-23', '2026-03-02');
  assert.equal(await ends(), ['plan_overdue', 'plan_expired']);
});

test('a plan that was given as planned is completed, with the result of its goals, and only the expiry is told', async () => {
  await given();
  await onDay('2026-01-11');
  await teach('2026-01-11', '2026-01-18');
  await onDay('2026-01-25');
  await onDay('2026-02-22');
  assert.equal(await stored(), ['completed', 'goals_not_met', null, '2026-02-22']);
  assert.is((await plans.row(pupil, assignmentId)).currentStepNo, null);
  assert.equal(await ends(), ['plan_overdue', 'plan_expired']);
});

test('while the student is halted nothing is decided about goals: the plan is stopped', async () => {
  await given();
  await onDay('2026-01-11');
  await teach('2026-01-11', '2026-01-18');
  await plans.measure(pupil, halting);
  await onDay('2026-01-25');
  await onDay('2026-02-22');
  assert.equal(await stored(), ['stopped', null, 'Plan_Expired', '2026-02-22']);
  assert.equal(await ends(), ['plan_overdue', 'plan_expired']);
});

test('what has no fidelity gate was not given as planned', async () => {
  assignmentId = await plans.given(pupil, { startOn: '2026-01-11', bundle_id: 'LSA-MONITOR-01', ...confirmed });
  await onDay('2026-01-11');
  await onDay('2026-01-25');
  await onDay('2026-02-22');
  assert.equal(await stored(), ['stopped', null, 'Plan_Expired', '2026-02-22']);
});

test('an extension after the end: a new end, which is told and counted anew', async () => {
  await given();
  await onDay('2026-01-20');
  await onDays('2026-01-25', '2026-02-01');
  assert.is((await review({ action: 'extend' })).body.endsOn, '2026-02-07');
  assert.is(await passed(), null);
  await onDays('2026-02-02', '2026-02-07');
  assert.equal([await ends(), await passed()], [['plan_overdue'], null]);
  await onDays('2026-02-08', '2026-02-10');
  assert.equal([await ends(), await passed()], [['plan_overdue', 'plan_overdue'], '2026-02-08']);
  await onDay('2026-03-07');
  assert.is((await stored())[0], 'active', 'four weeks after the second end are not over');
  await onDay('2026-03-08');
  assert.is((await stored())[0], 'stopped');
});

test('an extension so late that the new end has passed too', async () => {
  await given();
  await onDay('2026-01-20');
  await onDay('2026-01-25');
  at('2026-02-15');
  assert.is((await review({ action: 'extend' })).body.endsOn, '2026-02-07');
  await onDay('2026-02-16');
  assert.equal([await ends(), await passed()], [['plan_overdue', 'plan_overdue'], '2026-02-16']);
  await onDay('2026-02-22');
  assert.is((await stored())[0], 'active');
});

test('holidays that are entered late move the end; the whole school on holiday counts no week', async () => {
  await given();
  await onDay('2026-01-20');
  await onDay('2026-01-25');
  await calendarOf(days('2026-01-18', '2026-01-22'));
  assert.is(await endsOn(), '2026-01-31');
  await onDay('2026-01-26');
  assert.is(await passed(), null);
  await onDay('2026-02-01');
  assert.equal([await ends(), await passed()], [['plan_overdue', 'plan_overdue'], '2026-02-01']);
  await calendarOf([...days('2026-01-18', '2026-01-22'), ...days('2026-02-01', '2026-06-30')]);
  await onDay('2026-06-30');
  assert.is((await stored())[0], 'active');
});

test('a pause has no end, and the weeks after an end begin anew with the resume', async () => {
  await given();
  await onDay('2026-01-20');
  await onDay('2026-01-25');
  assert.is((await review({ action: 'pause', reasonCode: 'Long_Absence' })).body.endsOn, null);
  await onDay('2026-02-22');
  assert.is((await stored())[0], 'paused');
  assert.is((await review({ action: 'resume' })).body.endsOn, '2026-01-24');
  await onDay('2026-02-23');
  assert.equal([(await stored())[0], await passed(), await ends()], ['active', '2026-02-23', ['plan_overdue']]);
});

test('a run that was down: the first one tells, and the plan has four weeks from then', async () => {
  await given();
  await onDay('2026-01-20');
  await onDay('2026-03-15');
  assert.equal([(await stored())[0], await ends()], ['active', ['plan_overdue']]);
  await onDay('2026-04-12');
  assert.is((await stored())[0], 'stopped');
});

test('a plan that had ended before the first run by these rules is not told, and has four weeks from that run', async () => {
  await given();
  await onDay('2026-02-01');
  await onDay('2026-02-02');
  assert.equal([await ends(), await passed()], [[], '2026-02-01']);
  await onDay('2026-03-01');
  assert.equal([(await stored())[0], await ends()], ['stopped', ['plan_expired']]);
});

test('a plan that is replaced on its last day has no end, and the new one begins with the next week', async () => {
  await given();
  await onDay('2026-01-20');
  at('2026-01-24');
  const { body } = await review({ action: 'replace', bundle_id: 'BND-COMP-01', ...confirmed });
  const { superseded, assignment } = body as unknown as { superseded: Json; assignment: Json };
  assert.equal([superseded.endsOn, superseded.endedOn], [null, '2026-01-24']);
  assert.equal([assignment.weeksFrom, assignment.endsOn], ['2026-01-25', '2026-03-21']);
  await onDay('2026-01-25');
  assert.equal(await ends(), []);
});

test('under the versions before nothing follows from an end; on a demo neither', async () => {
  const { pin } = deskOf(app, () => {
    throw new Error('no request is inserted');
  });
  await given();
  try {
    for (const name of ['bundle/settings', 'rti/reason-codes'] as const) {
      await pin({ 'bundle/settings': 2, 'rti/reason-codes': 2, [name]: 1 });
      await onDay('2026-04-12');
      assert.equal([(await stored())[0], await passed(), await ends()], ['active', null, []], name);
    }
    assert.is(await endsOn(), '2026-01-24');
  } finally {
    await pin({ 'bundle/settings': 2, 'rti/reason-codes': 2 });
  }
  await owner('organization').where({ id: pupil.organizationId }).update({ isDemo: true });
  await onDay('2026-04-13');
  assert.equal([(await stored())[0], await passed(), await ends()], ['active', null, []]);
});

async function settle(): Promise<void> {
  const { log, lines } = capturedLog();
  await relayAll(services, noQueues, jobsOf(services.capabilities).reactions, log);
  await deliverWaiting(services, pupil.organizationId);
  assert.equal(
    lines.filter(({ err }) => err !== undefined),
    [],
  );
}
const inbox = async ({ id }: UserRow): Promise<Json[]> => {
  const rows = await owner('notification')
    .where({ recipientUserId: id, kind: 'plan_modification_suggestion' })
    .orderBy('createdAt');
  return rows.map(({ payload, renderedBodyAr }) => ({ ...payload, text: renderedBodyAr.split(': ').at(-1) }));
};

test('a completed plan is told with what is measured next, from the first day of school on, also while halted', async () => {
  const body = { bundle_id: 'LSA-MONITOR-01', scaffoldTier: 'Level_2', startOn: '2026-01-01', ...confirmed };
  assignmentId = await plans.given(pupil, body);
  // Completed on Thursday, 15 January; Sunday is a holiday.
  await calendarOf(['2026-01-18']);
  for (const [date, responses] of [
    ['2026-01-13', []],
    ['2026-01-14', []],
    ['2026-01-15', answered(9, 1)],
  ] as const) {
    at(date);
    await deliver(pupil, { bundle_id: 'LSA-MONITOR-01', responses });
  }
  assert.is((await stored())[0], 'completed');
  await plans.measure(pupil, halting);
  await settle();
  assert.equal(await inbox(pupil.teacher), [
    {
      ...{ studentId: pupil.id, assignmentId, suggestionCode: 'plan_completed' },
      ...{ nextAction: 'repeat_diagnostic', measureFrom: '2026-01-19' },
      text: 'انتهت الخطة وحان القياس من جديد.',
    },
  ]);
});

test('a review that completes a plan tells it too; without an active teacher the principal, then administrators are told', async () => {
  await given({});
  const { organizationId, classRow } = pupil;
  const admin = await buildUser(owner, 'ADMIN', { organizationId });
  const principal = await buildPrincipal(owner, await owner('school').where({ id: classRow.schoolId }).first());
  await review({ action: 'complete', confirmOffRecommendation: true, overrideCode: 'Wfl_Plan_Adjustment_04' });
  await owner('app_user').where({ id: pupil.teacher.id }).update({ status: 'inactive' });
  await settle();
  const codes = async (one: UserRow) => (await inbox(one)).map(({ suggestionCode }) => suggestionCode);
  assert.equal([await codes(pupil.teacher), await codes(principal), await codes(admin)], [[], ['plan_completed'], []]);
  assert.equal(await ends(), ['plan_completed']);
  assert.is((await stored())[3], today);
});

test('a text from before these codes does not tell them', async () => {
  const { pin } = deskOf(app, () => {
    throw new Error('no request is inserted');
  });
  await given({});
  await review({ action: 'complete', confirmOffRecommendation: true, overrideCode: 'Wfl_Plan_Adjustment_04' });
  await pin({ 'notification/plan-modification-suggestion': 2 });
  try {
    await settle();
    assert.equal(await inbox(pupil.teacher), []);
    const requests = await owner('notification_request').where({ organizationId: pupil.organizationId });
    assert.equal(
      requests.filter(({ kind }) => kind === 'plan_modification_suggestion').map(({ state }) => state),
      ['skipped'],
    );
  } finally {
    await pin({ 'notification/plan-modification-suggestion': 3 });
  }
});

test.run();
