// timeout: 180s
// G-09 and the parts of G-10 to G-12 that need no packet (52 §11), over HTTP.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRight, type Json, type Pupil, reported, wordsWrong } from '../../interventions/workflow/draft-bodies.ts';
import { pathOf, useDeciding } from './world.ts';

const test = suite('decisions of the golden scenarios');
const deciding = useDeciding(test);
const { plans, evaluate, recommendation, commit, alerts, decisions, written, weekly, reads } = deciding;
const { app } = plans.shell;
/** This week's Sunday, and the one 49 days before it. */
const [sunday, sevenWeeksAgo] = ['2026-01-11', '2025-11-23'];

const short = ({ decision, fromTier, toTier, ruleId, reason, requiredPacket }: Json) => [
  ...[decision, fromTier, toTier],
  ...[ruleId, reason, requiredPacket],
];
const kindsOf = async (pupil: Pupil) =>
  (await alerts(pupil)).map(({ kind, state, closeReason }) => [kind, state, closeReason]);

test('G-09: escalated by the recommendation, once', async () => {
  const pupil = await plans.pupil({ ...wordsWrong, LIS_LITERAL: 'UUUU' });
  await evaluate(pupil);
  assert.equal(await kindsOf(pupil), [['Student_Alert', 'open', null]]);
  const found = await recommendation(pupil);
  assert.equal(short(found), ['escalate', 1, 2, 'TRC-06', 'NONE', null]);
  assert.equal(reported(await commit(pupil, { decision: 'maintain' })), [
    ...[422, 'VALIDATION_ERROR'],
    'overrideCode override_required',
  ]);
  const reply = await commit(pupil, { decision: 'escalate' });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  const { decisionId, movementId, closedAlertId, committedAt, ruleVersions, ...rest } = reply.body;
  assert.equal(rest, {
    ...{ studentId: pupil.id, decision: 'escalate', recommendedDecision: 'escalate', fromTier: 1, toTier: 2 },
    ...{
      overrideCode: null,
      effectiveOn: '2026-01-12',
      decidedBy: pupil.teacher.id,
      effectiveReason: null,
      packetId: null,
    },
  });
  const closed = (await alerts(pupil)).find(({ id }) => id === closedAlertId);
  assert.equal([closed?.kind, closed?.state, closed?.closeReason], ['Student_Alert', 'closed', 'decision_committed']);
  assert.ok(movementId);
  assert.is((await recommendation(pupil)).fromTier, 2);
  const before = await written(pupil);
  const again = await commit(pupil, { decision: 'escalate', recommendationId: found.recommendationId });
  assert.equal(reported(again), [409, 'CONFLICT', 'recommendationId recommendation_stale']);
  assert.equal(await written(pupil), before);
  assert.equal(
    (await decisions(pupil)).map(({ id }) => id),
    [decisionId],
  );
});

/** In the second tier for seven weeks, with an assignment for decoding and falling readings. */
async function supported(delivered: readonly number[]): Promise<Pupil> {
  const pupil = await plans.pupil(wordsWrong);
  await evaluate(pupil);
  const { decision } = await recommendation(pupil);
  const reason = decision === 'escalate' ? {} : { overrideCode: 'Rti_Evidence_Conflict_01' };
  const reply = await commit(pupil, { decision: 'escalate', effectiveOn: sevenWeeksAgo, ...reason });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  assert.is(reply.body.effectiveOn, sevenWeeksAgo);
  await plans.given(pupil, { startOn: sevenWeeksAgo });
  await weekly(pupil, sevenWeeksAgo, delivered);
  await reads(pupil, { '2025-10-05': 14, '2025-10-06': 12, '2025-10-08': 15 });
  await reads(pupil, { '2025-12-03': 13, '2025-12-10': 12, '2025-12-17': 11 });
  await evaluate(pupil);
  return pupil;
}

test('G-10: support was given and does not help: only a packet may move to the third tier', async () => {
  const pupil = await supported([3, 3, 3, 3, 3, 3, 0]);
  const open = (await alerts(pupil)).filter(({ state }) => state === 'open');
  assert.equal(
    open.map(({ kind }) => kind),
    ['Intensive_Review'],
  );
  const found = await recommendation(pupil);
  assert.equal(short(found), ['escalate', 2, 3, 'TRC-07', 'NONE', 'intensive_review']);
  assert.equal(found.fidelity, { planned: 21, credited: 18, rate: 0.8571, gate: 'pass' });
  assert.is(found.progress, 'below');
  const before = await written(pupil);
  assert.equal(reported(await commit(pupil, { decision: 'escalate' })), [409, 'CONFLICT', 'decision packet_required']);
  assert.equal(await written(pupil), before);
  const stays = await commit(pupil, { decision: 'maintain', overrideCode: 'Rti_Evidence_Conflict_01' });
  assert.equal([stays.status, stays.body.closedAlertId], [201, null]);
  assert.equal(
    (await alerts(pupil)).filter(({ state }) => state === 'open').map(({ id }) => id),
    open.map(({ id }) => id),
  );
});

test('G-11: undelivered support cannot be evaluated, and no reason lifts the gate', async () => {
  const pupil = await supported([3, 3, 3, 3, 3, 1, 0]);
  const found = await recommendation(pupil);
  assert.equal(short(found), ['defer', 2, 2, 'TRC-05', 'LOW_FIDELITY', null]);
  assert.equal(found.fidelity, { planned: 21, credited: 16, rate: 0.7619, gate: 'fail' });
  assert.equal(
    (await kindsOf(pupil)).filter(([kind]) => kind === 'Intensive_Review'),
    [],
  );
  assert.equal((found.decisionPossible as Json).creditsMissing, 1);
  const refused = await commit(pupil, { decision: 'escalate', overrideCode: 'Rti_Evidence_Conflict_01' });
  assert.equal(reported(refused), [409, 'CONFLICT', 'decision packet_required']);
  const back = await commit(pupil, { decision: 'de_escalate', overrideCode: 'Rti_Evidence_Conflict_01' });
  assert.equal(reported(back), [409, 'CONFLICT', 'decision insufficient_data']);
  const deferred = await commit(pupil, { decision: 'defer' });
  assert.is(deferred.status, 201, JSON.stringify(deferred.body));
  assert.is(sunday > String(deferred.body.effectiveOn), false);
});

test('G-12: a sudden drop asks for a packet, and a halt writes nothing', async () => {
  const half = { ...allRight, DEC_WORD: 'CCCUUU' };
  const pupil = await plans.pupil(half);
  await evaluate(pupil);
  assert.equal(await kindsOf(pupil), [['Skill_Alert', 'open', null]]);
  app.clock.advance(60_000);
  await plans.measure(pupil, { ...half, LIS_LITERAL: 'CUUUUU' }, 9);
  await evaluate(pupil);
  assert.equal(await kindsOf(pupil), [
    ['Skill_Alert', 'closed', 'superseded_by_more_severe'],
    ['acute_regression_review', 'open', null],
  ]);
  const found = await recommendation(pupil);
  assert.equal(short(found), ['defer', 1, 1, 'TRC-03', 'NONE', 'acute_regression']);
  assert.equal(reported(await commit(pupil, { decision: 'escalate' })), [409, 'CONFLICT', 'decision packet_required']);
  app.clock.advance(60_000);
  await plans.measure(pupil, { LK_FORM: 'CCC' }, 17);
  const before = await written(pupil);
  for (const decision of ['maintain', 'defer', 'escalate', 'de_escalate']) {
    const reply = await commit(pupil, { decision });
    assert.equal([reply.status, reply.body.outcome], [200, 'do_not_decide_yet']);
    assert.is(reply.body.nextRecommendedDataAction, 'administer_more_items');
  }
  const halted = await recommendation(pupil);
  assert.equal(short(halted), [null, 1, null, 'TRC-01', 'DATA_INCOMPLETE', null]);
  assert.is(halted.outcome, 'do_not_decide_yet');
  assert.equal(await written(pupil), before);
  const list = await deciding.get(pupil, `${pathOf(pupil)}/decisions`);
  assert.equal(list.body, { items: [], nextCursor: null });
});

test.run();
