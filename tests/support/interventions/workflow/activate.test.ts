// Activation of a bundle for a student: every row of the table of checks (contract 52 §7.1) in its order, and the written rows.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildClass,
  buildPrincipal,
  buildSchool,
  buildStudent,
  buildSuperAdmin,
  buildTeacher,
  signIn,
} from '../../../harness/factories.ts';
import { allRight, confirmed, type Json, monday, type Pupil, reported, today, usePlans } from './draft-bodies.ts';

const test = suite('activation by hand');
const plans = usePlans(test);
const { shell } = plans;
const { app } = shell;
const { owner } = app.database;

let pupil: Pupil;
test.before(async () => {
  app.clock.set(monday);
});
test.before.each(async () => {
  pupil = await plans.pupil();
});

async function refused(body: Json, expected: readonly unknown[], token?: string): Promise<void> {
  const before = await plans.written(pupil);
  assert.equal(reported(await plans.activate(pupil, body, token)), expected);
  assert.equal(await plans.written(pupil), before, 'nothing is written');
}

test('the recommended bundle: 201, the assignment in its one shape, and one event', async () => {
  const reply = await plans.activate(pupil);
  assert.is(reply.status, 201);
  const { assignmentId, recommendation, steps, ruleVersions, ...rest } = reply.body as Json & { steps: Json[] };
  assert.equal(rest, {
    ...{ studentId: pupil.id, classId: pupil.classRow.id, bundle_id: 'BND-DECODE-01', catalogueVersion: 1 },
    ...{ objectType: 'INTERVENTION_BUNDLE', state: 'active', trackStatus: 'awaiting_first_session' },
    ...{ scaffoldTier: 'Level_3', deliveryMode: 'teacher_led_small_group', startOn: today },
    // Eight weeks from Sunday, 18 January.
    ...{ weeksFrom: '2026-01-18', endsOn: '2026-03-14' },
    ...{ plannedWeeks: 8, sessionsPerWeek: 3, currentStepNo: 1, completionResult: null, endedOn: null },
    ...{ reasonCode: null, pauses: [], extensions: 0, offTrackAcknowledgedAt: null, overrideCode: null },
    source: { type: 'individual', clusterKey: null, generationId: null },
    ...{ providerUserId: pupil.teacher.id, activatedBy: pupil.teacher.id, activatedAt: monday },
    monitoring: { measureCode: 'ORF_WCPM', everyDays: 14, nextDueOn: '2026-01-26', overdue: false },
  });
  assert.equal(steps[0], {
    ...{ stepNo: 1, sessionRole: 'EXPLICIT_TEACHING', plannedSessions: 4, deliveredSessions: 0 },
    ...{ goal: null, goalState: 'none', scored: 0, correct: 0, rate: null },
  });
  assert.equal(steps[5], {
    ...{ stepNo: 6, sessionRole: 'SCAFFOLD_FADING', plannedSessions: 2, deliveredSessions: 0 },
    ...{ goal: { minScored: 6, minRate: 0.8 }, goalState: 'pending', scored: 0, correct: 0, rate: null },
  });
  assert.is(steps.length, 9);
  assert.is((ruleVersions as Json)['bundle/catalogue'], 1);
  const frozen = recommendation as Json;
  assert.equal(
    [frozen.recommended_bundle_id, frozen.ruleId, frozen.action, frozen.scaffold_tier, 'studentId' in frozen],
    ['BND-DECODE-01', 'BRR-12A', 'activate', 'Level_3', false],
  );
  assert.equal(await plans.events(pupil), [
    {
      topic: 'assignment.activated',
      payload: { studentId: pupil.id, assignmentId, bundle_id: 'BND-DECODE-01' },
    },
  ]);
  const again = await app.get<Json>(`/api/bundle-assignments/${assignmentId}`, { token: pupil.token });
  assert.equal([again.status, again.body], [200, reply.body], 'the same shape when it is read');
  const list = await app.get<{ items: Json[] }>(`/api/students/${pupil.id}/bundle-assignments`, { token: pupil.token });
  assert.equal(list.body.items, [reply.body], 'and in the list');
});

test('row 1, before everything else: codes, dates and fields, for any student', async () => {
  const noWriter = { studentId: 999_999_999 };
  const code = { ...noWriter, overrideCode: 'No_Such_Code' };
  await refused(code, [422, 'VALIDATION_ERROR', 'overrideCode unknown_code']);
  const foreign = { ...noWriter, overrideCode: 'Gam_Award_Invalid_05' };
  await refused(foreign, [422, 'VALIDATION_ERROR', 'overrideCode wrong_scope']);
  for (const startOn of ['2025-11-02', '2026-02-10']) {
    await refused({ ...noWriter, startOn }, [422, 'VALIDATION_ERROR', 'startOn out_of_range']);
  }
  assert.is((await plans.activate(pupil, { ...noWriter, scaffoldTier: 'Level_4' })).status, 422);
  assert.is((await plans.activate(pupil, { ...noWriter, more: 1 })).status, 422);
});

test('row 1: a start of 70 days ago and one of 28 days ahead are the farthest', async () => {
  const past = await plans.activate(pupil, { startOn: '2025-11-03' });
  assert.equal([past.status, past.body.state], [201, 'active']);
  const other = await plans.classmate(pupil);
  const ahead = await plans.activate(other, { startOn: '2026-02-09' });
  assert.equal([ahead.status, ahead.body.state, ahead.body.trackStatus], [201, 'scheduled', 'not_applicable']);
  assert.is((await plans.events(other)).length, 1, 'what is scheduled has not begun');
});

test('row 1: a student of nowhere 404, of another organization 404, of another class 403', async () => {
  await refused({ studentId: 999_999_999 }, [404, 'NOT_FOUND']);
  await refused({ studentId: (await plans.pupil()).id }, [404, 'NOT_FOUND']);
  const elsewhere = await buildClass(owner, {
    organizationId: pupil.organizationId,
    schoolId: pupil.classRow.schoolId,
  });
  await refused({ studentId: (await buildStudent(owner, elsewhere)).id }, [403, 'PERMISSION_DENIED']);
});

test('a principal is refused before anything is looked at; administrators of the organization and of the platform may', async () => {
  const principal = await signIn(app, await buildPrincipal(owner, { ...pupil.classRow, id: pupil.classRow.schoolId }));
  await refused({ nonsense: true }, [403, 'PERMISSION_DENIED'], principal);
  assert.is((await plans.activate(pupil, {}, await plans.admin(pupil))).status, 201);
  const other = await plans.classmate(pupil);
  const superAdmin = await signIn(app, await buildSuperAdmin(owner));
  assert.is((await plans.activate(other, {}, superAdmin)).status, 201);
});

test('a provider has to work in the school: 422', async () => {
  const elsewhere = await buildTeacher(
    owner,
    await buildClass(owner, { organizationId: pupil.organizationId, schoolId: await anotherSchool() }),
  );
  const gone = await buildTeacher(owner, pupil.classRow, 'SECONDARY');
  await owner('app_user').where({ id: gone.id }).update({ status: 'inactive' });
  for (const providerUserId of [elsewhere.id, gone.id, pupil.id, 999_999_999]) {
    await refused({ providerUserId }, [422, 'VALIDATION_ERROR', 'providerUserId not_staff_of_school']);
  }
  const colleague = await buildTeacher(owner, pupil.classRow, 'SECONDARY');
  const reply = await plans.activate(pupil, { providerUserId: colleague.id });
  assert.equal([reply.status, reply.body.providerUserId], [201, colleague.id]);
});

const anotherSchool = async () => (await buildSchool(owner, { organizationId: pupil.organizationId })).id;

test('between classes: 409 no_grade, also for a student who is halted', async () => {
  const token = await plans.admin(pupil);
  await owner('enrollment').where({ studentId: pupil.id }).update({ enrolledTo: today });
  await refused({}, [409, 'CONFLICT', 'studentId no_grade'], token);
  await refused({ bundle_id: 'NO-SUCH-01' }, [409, 'CONFLICT', 'studentId no_grade'], token);
});

test('row 2: halted, and no bundle, code or confirmation lifts it: 200, nothing is written', async () => {
  const never = await plans.classmate(pupil, null);
  for (const body of [{}, confirmed, { bundle_id: 'NO-SUCH-01' }, { bundle_id: 'FUT-WRITING-01', ...confirmed }]) {
    const before = await plans.written(pupil);
    const { status, body: answer } = await plans.activate(never, body);
    assert.equal(
      [status, answer],
      [
        200,
        {
          ...{ outcome: 'blocked_insufficient_evidence', recommended_bundle_id: null },
          nextRecommendedDataAction: 'run_diagnostic',
        },
      ],
    );
    assert.equal(await plans.written(pupil), before);
  }
});

test('row 3: unknown, not for the grade, a placeholder, not assignable, not offered; before any confirmation', async () => {
  const rows = [
    [{ bundle_id: 'NO-SUCH-01' }, 'bundle_id unknown_bundle'],
    [{ bundle_id: 'BND-DECODE-02' }, 'bundle_id not_active'],
    [{ bundle_id: 'FUT-WRITING-01' }, 'bundle_id not_active'],
    [{ bundle_id: 'NIO-CORE-01' }, 'bundle_id not_assignable'],
    [{ bundle_id: 'RTG-ACUTE-01' }, 'bundle_id not_assignable'],
    [{ deliveryMode: 'digital_self_paced' }, 'deliveryMode mode_not_offered'],
  ] as const;
  for (const [body, issue] of rows) {
    await refused(body, [422, 'VALIDATION_ERROR', issue]);
    await refused({ ...body, ...confirmed }, [422, 'VALIDATION_ERROR', issue]);
  }
});

test('G-05, rows 4, 5 and 7: confirmation, then a code of the right scope, then 201, then already open', async () => {
  const other = { bundle_id: 'SUP-DECODE-01' };
  await refused(other, [409, 'CONFLICT', 'bundle_id confirmation_required']);
  const meant = { ...other, confirmOffRecommendation: true };
  await refused(meant, [422, 'VALIDATION_ERROR', 'overrideCode override_required']);
  const wrong = { ...meant, overrideCode: 'Gam_Award_Invalid_05' };
  await refused(wrong, [422, 'VALIDATION_ERROR', 'overrideCode wrong_scope']);
  const reply = await plans.activate(pupil, { ...other, ...confirmed });
  assert.equal([reply.status, reply.body.overrideCode], [201, 'Wfl_Bundle_Substitution_03']);
  // SCF chooses its scaffold tier for the anchor, its mode is the first of the bundle.
  assert.equal([reply.body.scaffoldTier, reply.body.deliveryMode], ['Level_3', 'blended']);
  await refused({ ...other, ...confirmed }, [409, 'CONFLICT', 'bundle_id already_open']);
});

test('row 4: one detail for each field that differs from the recommendation, and only for those that are named', async () => {
  await refused({ scaffoldTier: 'Level_1', deliveryMode: 'blended' }, [
    ...[409, 'CONFLICT', 'scaffoldTier confirmation_required', 'deliveryMode confirmation_required'],
  ]);
  await refused({ bundle_id: 'BND-COMP-01', scaffoldTier: 'Level_2', deliveryMode: 'teacher_led_small_group' }, [
    ...[409, 'CONFLICT', 'bundle_id confirmation_required', 'scaffoldTier confirmation_required'],
  ]);
});

test('row 6: a code where nothing differs is not needed', async () => {
  const same = { scaffoldTier: 'Level_3', deliveryMode: 'teacher_led_small_group' };
  for (const body of [confirmed, { ...same, ...confirmed }]) {
    await refused(body, [422, 'VALIDATION_ERROR', 'overrideCode override_not_needed']);
  }
  assert.is((await plans.activate(pupil, { ...same, confirmOffRecommendation: true })).status, 201);
});

test('row 7: a third open assignment is one too many', async () => {
  await plans.given(pupil);
  await plans.given(pupil, { bundle_id: 'SUP-DECODE-01', ...confirmed });
  await refused({ bundle_id: 'BND-COMP-01', ...confirmed }, [409, 'CONFLICT', 'bundle_id capacity']);
  const open = await plans.activate(pupil);
  assert.equal(reported(open), [409, 'CONFLICT', 'bundle_id already_open']);
});

test('a student on track: any assignment is against the recommendation', async () => {
  const well = await plans.classmate(pupil, allRight);
  assert.equal(reported(await plans.activate(well)), [409, 'CONFLICT', 'bundle_id confirmation_required']);
  assert.is((await plans.activate(well, confirmed)).status, 201);
});

test('an answer that was given is given again for the same key, and nothing is made twice', async () => {
  const headers = { 'idempotency-key': 'plan-1' };
  const body = { studentId: pupil.id, bundle_id: 'BND-DECODE-01' };
  const first = await app.request('POST', '/api/workflow/activate', { token: pupil.token, body, headers });
  const second = await app.request('POST', '/api/workflow/activate', { token: pupil.token, body, headers });
  assert.equal([first.status, second.status, second.body], [201, 201, first.body]);
  assert.is((await owner('bundle_assignment').where({ studentId: pupil.id })).length, 1);
});

test.run();
