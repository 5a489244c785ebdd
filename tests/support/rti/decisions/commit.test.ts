// timeout: 180s
// Committing a decision (51 §4.7) over HTTP: the nine checks in their order, permissions, dates, concurrency, atomicity.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { buildPrincipal, buildTeacher, buildUser, signIn } from '../../../harness/factories.ts';
import { type Json, type Pupil, reported, wordsWrong } from '../../interventions/workflow/draft-bodies.ts';
import { overruled, pathOf, useDeciding } from './world.ts';

const test = suite('committing decisions');
const deciding = useDeciding(test);
const { plans, evaluate, recommendation, commit, alerts, decisions, written, moved, get } = deciding;
const { app } = plans.shell;
const { owner } = app.database;

/** Two needs lead to an alert that asks for support beside core teaching. */
const twoNeeds = { ...wordsWrong, LIS_LITERAL: 'UUUU' };

async function inNeed(): Promise<Pupil> {
  const pupil = await plans.pupil(twoNeeds);
  await evaluate(pupil);
  return pupil;
}

async function refused(pupil: Pupil, body: Json, expected: readonly unknown[], token?: string): Promise<void> {
  const before = await written(pupil);
  assert.equal(reported(await commit(pupil, body, token)), expected, JSON.stringify(body));
  assert.equal(await written(pupil), before);
}

const invalid = (field: string, issue: string) => [422, 'VALIDATION_ERROR', `${field} ${issue}`];
const conflict = (field: string, issue: string) => [409, 'CONFLICT', `${field} ${issue}`];

test('1: schema, codes and dates come before everything about the student', async () => {
  const pupil = await inNeed();
  const stale = { recommendationId: 'x' };
  for (const body of [{}, { decision: 'promote' }, { decision: 'escalate', toTier: 3 }]) {
    const reply = await commit(pupil, { ...stale, ...body });
    assert.equal([reply.status, reply.body.code], [422, 'VALIDATION_ERROR'], JSON.stringify(body));
  }
  await refused(
    pupil,
    { ...stale, decision: 'escalate', overrideCode: 'Rti_99' },
    invalid('overrideCode', 'unknown_code'),
  );
  for (const code of ['Alr_Already_Addressed_06', 'Pkt_Team_Judgement_08', 'Awaiting_Probes']) {
    const body = { ...stale, decision: 'escalate', overrideCode: code };
    await refused(pupil, body, invalid('overrideCode', 'wrong_scope'));
  }
  for (const effectiveOn of ['2026-01-13', '2025-11-02']) {
    await refused(pupil, { ...stale, decision: 'escalate', effectiveOn }, invalid('effectiveOn', 'out_of_range'));
  }
  // Seventy days ago is the first day.
  await refused(
    pupil,
    { ...stale, decision: 'escalate', effectiveOn: '2025-11-03' },
    conflict('recommendationId', 'recommendation_stale'),
  );
});

test('1: not before the newest movement, on its day and after it', async () => {
  const pupil = await inNeed();
  await moved(pupil, 1, 2, '2026-01-05');
  const body = { decision: 'defer' };
  await refused(pupil, { ...body, effectiveOn: '2026-01-04' }, invalid('effectiveOn', 'out_of_range'));
  const reply = await commit(pupil, { ...body, effectiveOn: '2026-01-05' });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
});

test('2: a halt refuses every decision and precedes a stale recommendation; nothing is written', async () => {
  const pupil = await inNeed();
  app.clock.advance(60_000);
  await plans.measure(pupil, { LK_FORM: 'CCC' }, 9);
  const before = await written(pupil);
  for (const decision of ['escalate', 'de_escalate', 'maintain', 'defer']) {
    for (const recommendationId of [(await recommendation(pupil)).recommendationId, 'x']) {
      const reply = await commit(pupil, { decision, recommendationId });
      assert.equal(reply.body, { outcome: 'do_not_decide_yet', nextRecommendedDataAction: 'administer_more_items' });
      assert.is(reply.status, 200);
    }
  }
  const unmeasured = await plans.classmate(pupil, null);
  const reply = await commit(unmeasured, { decision: 'maintain' });
  assert.equal([reply.status, reply.body.nextRecommendedDataAction], [200, 'run_diagnostic']);
  assert.equal(await written(pupil), before);
});

test('3: stale when the evidence, the tier or the last decision is another one', async () => {
  const stale = conflict('recommendationId', 'recommendation_stale');
  const pupil = await inNeed();
  const evidence = await recommendation(pupil);
  app.clock.advance(60_000);
  await plans.measure(pupil, { PA_BLEND: 'UUUU' }, 9);
  await refused(pupil, { decision: 'escalate', recommendationId: evidence.recommendationId }, stale);
  const tier = await recommendation(pupil);
  await moved(pupil, 1, 2, '2026-01-05');
  await refused(pupil, { decision: 'escalate', recommendationId: tier.recommendationId }, stale);
  const decided = await recommendation(pupil);
  assert.is((await commit(pupil, { decision: 'defer' })).status, 201);
  await refused(pupil, { decision: 'defer', recommendationId: decided.recommendationId }, stale);
  // Only a decision lies between these two.
  const same = await recommendation(pupil);
  assert.is((await commit(pupil, { decision: 'defer' })).status, 201);
  await refused(pupil, { decision: 'defer', recommendationId: same.recommendationId }, stale);
});

test('the same facts give the same id, and reading writes nothing', async () => {
  const pupil = await inNeed();
  const before = await written(pupil);
  const [one, other] = [await recommendation(pupil), await recommendation(pupil)];
  assert.is(one.recommendationId, other.recommendationId);
  assert.match(String(one.recommendationId), /^[0-9a-f]{32}$/);
  assert.equal(await written(pupil), before);
});

test('4 to 6: bounds, packets and the gate, whatever reason is given', async () => {
  const first = await plans.pupil();
  await refused(first, { decision: 'de_escalate', ...overruled }, conflict('decision', 'tier_bound'));
  const third = await inNeed();
  await moved(third, 1, 2, '2025-11-30');
  await refused(third, { decision: 'escalate', ...overruled }, conflict('decision', 'packet_required'));
  await moved(third, 2, 3, '2025-12-07');
  await refused(third, { decision: 'escalate', ...overruled }, conflict('decision', 'tier_bound'));
  await refused(third, { decision: 'de_escalate', ...overruled }, conflict('decision', 'packet_required'));
});

test('7: insufficient data allows no movement', async () => {
  const pupil = await inNeed();
  await moved(pupil, 1, 2, '2026-01-05');
  const found = await recommendation(pupil);
  assert.equal([found.dataSufficiency, found.reason, found.decision], ['insufficient', 'NO_DELIVERY', 'defer']);
  await refused(pupil, { decision: 'de_escalate', ...overruled }, conflict('decision', 'insufficient_data'));
});

test('8 and 9: a reason exactly where the decision is another one', async () => {
  const pupil = await inNeed();
  assert.is((await recommendation(pupil)).decision, 'escalate');
  for (const decision of ['maintain', 'defer']) {
    await refused(pupil, { decision }, invalid('overrideCode', 'override_required'));
  }
  await refused(pupil, { decision: 'escalate', ...overruled }, invalid('overrideCode', 'override_not_needed'));
  const reply = await commit(pupil, { decision: 'defer', overrideCode: 'Rti_Attendance_Gap_02' });
  const { status, body } = reply;
  assert.equal([status, body.decision, body.recommendedDecision], [201, 'defer', 'escalate']);
  assert.equal([body.overrideCode, body.movementId, body.fromTier, body.toTier], ['Rti_Attendance_Gap_02', null, 1, 1]);
  const [alert] = await alerts(pupil);
  assert.equal([alert?.id, alert?.state, alert?.closingDecision], [body.closedAlertId, 'closed', 'defer']);
});

test('what was deferred keeps the alert quiet for 28 days', async () => {
  const pupil = await inNeed();
  assert.is((await commit(pupil, { decision: 'maintain', ...overruled })).status, 201);
  deciding.at('2026-02-08');
  await evaluate(pupil);
  assert.equal(
    (await alerts(pupil)).filter(({ kind, state }) => kind === 'Student_Alert' && state === 'open'),
    [],
  );
  deciding.at('2026-02-09');
  await evaluate(pupil);
  assert.is((await alerts(pupil)).filter(({ kind, state }) => kind === 'Student_Alert' && state === 'open').length, 1);
});

test('two at once: one decision, one refusal', async () => {
  const pupil = await inNeed();
  const { recommendationId } = await recommendation(pupil);
  const body = { decision: 'escalate', recommendationId };
  const replies = await Promise.all([1, 2, 3, 4].map(() => commit(pupil, body)));
  assert.equal(replies.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  assert.is((await decisions(pupil)).length, 1);
  assert.is(((await written(pupil)).tier_movement as Json[]).length, 1);
});

test('who may: teachers of the class and administrators; principals read', async () => {
  const pupil = await inNeed();
  const { organizationId, classRow } = pupil;
  const school = await inContext(owner, { organizationId }, (trx) =>
    trx('school').where({ id: classRow.schoolId }).first(),
  );
  const denied = [403, 'PERMISSION_DENIED'];
  const principal = await signIn(app, await buildPrincipal(owner, school));
  const stranger = await signIn(app, await buildUser(owner, 'TEACHER', { organizationId }));
  const manager = await signIn(app, await buildUser(owner, 'MANAGER', { organizationId }));
  const itself = await signIn(app, pupil);
  for (const token of [principal, stranger, manager, itself]) {
    await refused(pupil, { decision: 'escalate' }, denied, token);
    assert.equal(reported(await commit(pupil, { recommendationId: 'x', decision: 'promote' }, token)), denied);
  }
  for (const path of ['recommendation', 'decisions']) {
    assert.is((await get(pupil, `${pathOf(pupil)}/${path}`, principal)).status, 200);
    for (const token of [stranger, manager, itself]) {
      assert.is((await get(pupil, `${pathOf(pupil)}/${path}`, token)).status, 403);
    }
  }
  const colleague = await signIn(app, await buildTeacher(owner, classRow, 'SECONDARY'));
  assert.is((await commit(pupil, { decision: 'escalate' }, colleague)).status, 201);
  const other = await inNeed();
  assert.is((await commit(other, { decision: 'escalate' }, await plans.admin(other))).status, 201);
});

test('without a class no decision is allowed, which follows the body and precedes everything else', async () => {
  const pupil = await inNeed();
  const { organizationId, id: studentId } = pupil;
  const token = await plans.admin(pupil);
  await inContext(owner, { organizationId }, (trx) =>
    trx('enrollment').where({ organizationId, studentId }).update({ enrolledTo: '2026-01-12' }),
  );
  const body = { decision: 'escalate', recommendationId: 'x' };
  await refused(pupil, body, [409, 'CONFLICT', ' not_enrolled'], token);
  const coded = { ...body, overrideCode: 'Awaiting_Probes' };
  await refused(pupil, coded, invalid('overrideCode', 'wrong_scope'), token);
  assert.is((await get(pupil, `${pathOf(pupil)}/recommendation`, token)).status, 200);
});

test('the list: newest first, over pages', async () => {
  const pupil = await plans.pupil();
  for (const day of ['2026-01-13', '2026-01-14', '2026-01-15']) {
    deciding.at(day);
    const { decision } = await recommendation(pupil);
    const maintained = { decision: 'maintain', ...(decision === 'maintain' ? {} : overruled) };
    assert.is((await commit(pupil, maintained)).status, 201);
  }
  const ids = (await decisions(pupil)).map(({ id }) => id).toReversed();
  const found: unknown[] = [];
  let cursor: unknown = null;
  do {
    const after = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await get(pupil, `${pathOf(pupil)}/decisions?limit=2${after}`);
    found.push(...(body.items as Json[]).map(({ decisionId }) => decisionId));
    cursor = body.nextCursor;
  } while (cursor !== null);
  assert.equal(found, ids);
});

test('a decision stays as it was made, in the database too', async () => {
  const pupil = await inNeed();
  assert.is((await commit(pupil, { decision: 'escalate' })).status, 201);
  const before = await decisions(pupil);
  const { organizationId, id: studentId } = pupil;
  const own = (change: 'update' | 'delete') =>
    inContext(owner, { organizationId }, async (trx) => {
      const rows = trx('rti_decision').where({ organizationId, studentId });
      await (change === 'update' ? rows.update({ decision: 'defer' }) : rows.delete());
    });
  for (const change of ['update', 'delete'] as const) {
    const outcome = await own(change).catch(() => 'refused');
    assert.is(outcome, 'refused', change);
  }
  assert.equal(await decisions(pupil), before);
});

test.run();
