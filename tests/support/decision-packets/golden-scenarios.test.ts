// timeout: 180s
// The complete scenarios G-10 and G-11 (52 §11) over HTTP.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reported } from '../interventions/workflow/draft-bodies.ts';
import { enough, tooLittle, useCouncil } from './council.ts';
import { type Json, made, summary } from './desk.ts';

const test = suite('packets of the golden scenarios');
const council = useCouncil(test);
const { evaluate, commit, recommendation, alerts, decisions } = council;
const { app } = council.plans.shell;

const denied = [403, 'PERMISSION_DENIED'];

test('G-10: into the third tier by a packet, an approving specialist, and another person than the one who opened it', async () => {
  const pupil = await council.supported(enough);
  const [x, y] = [await council.specialist(pupil), await council.specialist(pupil)];
  await evaluate(pupil);
  const open = (await alerts(pupil)).filter(({ state }) => state === 'open');
  assert.equal(
    open.map(({ kind }) => kind),
    ['Intensive_Review'],
  );
  assert.is((await recommendation(pupil)).ruleId, 'TRC-07');
  assert.equal(reported((await commit(pupil, { decision: 'escalate' })) as never), [
    409,
    'CONFLICT',
    'decision packet_required',
  ]);
  const { packetId } = made(await council.open(x, pupil, 'intensive_review'));
  const assembled = made(await council.assemble(x, { packetId }), 200);
  assert.equal([assembled.status, assembled.alertId], ['under_review', open[0]?.id]);
  assert.ok(assembled.gates.every(({ met }) => met));
  const { ruleId, decision, requiredPacket } = assembled.recommendation as Json;
  assert.equal([ruleId, decision, requiredPacket], ['TRC-07', 'escalate', 'intensive_review']);
  const before = await council.everything(pupil);
  for (const caller of [pupil.teacher, x, await council.admin(pupil)]) {
    assert.equal(summary(await council.approve(caller, packetId, { decision: 'escalate' })).slice(0, 2), denied);
    assert.equal(await council.everything(pupil), before);
  }
  app.clock.advance(60_000);
  const approved = made(await council.approve(y, packetId, { decision: 'escalate' }), 200);
  const { decisionId, movementId } = approved;
  assert.equal(
    [approved.status, approved.decision, approved.fromTier, approved.toTier, approved.overrideCode, approved.closedBy],
    ['approved', 'escalate', 2, 3, null, y.id],
  );
  const movement = (await council.movements(pupil)).at(-1);
  assert.equal(
    [movement?.id, movement?.fromTier, movement?.toTier, movement?.sourceType, movement?.sourceId, movement?.decidedBy],
    [movementId, 2, 3, 'decision_packet', packetId, y.id],
  );
  const decided = (await decisions(pupil)).at(-1);
  assert.equal(
    [decided?.id, decided?.packetId, decided?.movementId, decided?.closedAlertId, decided?.recommendationId],
    [decisionId, packetId, movementId, open[0]?.id, null],
  );
  const closed = (await alerts(pupil)).find(({ id }) => id === open[0]?.id);
  assert.equal([closed?.state, closed?.closeReason], ['closed', 'decision_committed']);
  assert.is((await recommendation(pupil)).fromTier, 3);
  assert.equal(summary(await council.approve(y, packetId, { decision: 'escalate' })), [
    409,
    'CONFLICT',
    'packet_closed',
  ]);
  const list = await council.get(pupil, `/api/rti/students/${pupil.id}/decisions`);
  const [newest] = list.body.items as readonly Json[];
  assert.equal([newest?.decisionId, newest?.packetId], [decisionId, packetId]);
});

test('G-11: too little was delivered: deferred, assembled again, rejected, and another one may be opened', async () => {
  const pupil = await council.supported(tooLittle);
  const y = await council.specialist(pupil);
  const { decision, ruleId, reason } = await recommendation(pupil);
  assert.equal([decision, ruleId, reason], ['defer', 'TRC-05', 'LOW_FIDELITY']);
  const { packetId } = made(
    await council.assemble(pupil.teacher, { studentId: pupil.id, reviewType: 'tier_escalation' }),
  );
  const before = await council.everything(pupil);
  assert.equal(summary(await council.approve(y, packetId, { decision: 'escalate' })), [
    409,
    'CONFLICT',
    'fidelity_gate',
  ]);
  const overruled = { decision: 'escalate', overrideCode: 'Pkt_Team_Judgement_08' };
  assert.equal(
    summary(await council.approve(y, packetId, overruled)),
    [409, 'CONFLICT', 'fidelity_gate'],
    'no code lifts it',
  );
  assert.equal(await council.everything(pupil), before);
  const deferral = { decision: 'defer', deferralCode: 'Awaiting_Delivery' };
  const deferred = made(await council.approve(pupil.teacher, packetId, deferral), 200);
  assert.equal(
    [
      deferred.status,
      deferred.decision,
      deferred.deferralCode,
      deferred.deferUntil,
      deferred.decisionId,
      deferred.closedAt,
    ],
    ['deferred', 'defer', 'Awaiting_Delivery', '2026-02-09', null, null],
  );
  assert.equal(summary(await council.approve(y, packetId, deferral)), [409, 'CONFLICT', 'invalid_transition']);
  const again = made(await council.assemble(pupil.teacher, { packetId }), 200);
  assert.equal(
    [again.status, again.decision, again.deferralCode, again.deferUntil],
    ['under_review', null, null, null],
  );
  const rejected = made(await council.reject(pupil.teacher, packetId, 'Evidence_Outdated'), 200);
  assert.equal([rejected.status, rejected.movementId], ['rejected', null]);
  assert.is((await recommendation(pupil)).fromTier, 2);
  assert.equal(summary(await council.open(pupil.teacher, pupil, 'tier_escalation')), [201]);
});

test.run();
