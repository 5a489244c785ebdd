// timeout: 240s
// The gates of approval over HTTP (51 §6.4), and the atomicity of approvals.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser } from '../../../harness/factories.ts';
import { wordsWrong } from '../../interventions/workflow/draft-bodies.ts';
import { buildAlert } from '../../rti/alerts/rows.ts';
import { enough, useCouncil } from '../council.ts';
import { type Json, made, summary } from '../desk.ts';
import { factsOf } from '../rows.ts';

const test = suite('approval of packets');
const council = useCouncil(test);
const { plans, assembled, refused } = council;
const { app } = plans.shell;
const { owner } = app.database;

const evaluated = { overrideCode: 'Pkt_Team_Judgement_08' };
const override = (issue: string) => [422, 'VALIDATION_ERROR', issue];

test('the body first: words of decisions and codes, and the day on which a tier begins', async () => {
  const pupil = await plans.pupil();
  const { teacher } = pupil;
  const id = await assembled(teacher, pupil, 'tier_escalation');
  const cases: readonly (readonly [object, string])[] = [
    [{ decision: 'maintain', overrideCode: 'Rti_Evidence_Conflict_01' }, 'wrong_scope'],
    [{ decision: 'maintain', overrideCode: 'Nonsense' }, 'unknown_code'],
    [{ decision: 'defer' }, 'required'],
    [{ decision: 'defer', deferralCode: 'Tone_Not_Suitable' }, 'unknown_code'],
    [{ decision: 'maintain', deferralCode: 'Awaiting_Probes' }, 'not_for_decision'],
    [{ decision: 'maintain', effectiveOn: '2026-01-13' }, 'out_of_range'],
    [{ decision: 'maintain', effectiveOn: '2025-11-02' }, 'out_of_range'],
  ];
  for (const [body, issue] of cases) await refused(pupil, teacher, id, body, [422, 'VALIDATION_ERROR', issue]);
  for (const body of [{}, { decision: 'promote' }, { decision: 'maintain', more: 1 }]) {
    assert.is((await council.approve(teacher, id, body)).status, 422, JSON.stringify(body));
  }
});

test('GTE-01, GTE-02: only under review, and only what the review may decide', async () => {
  const pupil = await plans.pupil();
  const { teacher } = pupil;
  const { packetId } = made(await council.open(teacher, pupil, 'tier_escalation'));
  await refused(pupil, teacher, packetId, { decision: 'maintain' }, [409, 'CONFLICT', 'invalid_transition']);
  await refused(pupil, teacher, packetId, { decision: 'de_escalate' }, [409, 'CONFLICT', 'invalid_transition']);
  made(await council.assemble(teacher, { packetId }), 200);
  await refused(pupil, teacher, packetId, { decision: 'de_escalate' }, override('decision_not_allowed'));
});

test('GTE-03: the third tier needs an administrator who is the specialist, whatever is decided; one of the platform who is not fails too', async () => {
  const pupil = await council.supported(enough);
  await factsOf(owner, pupil).movement(2, 3, '2026-01-11');
  const specialist = await council.specialist(pupil);
  const id = await assembled(pupil.teacher, pupil, 'scheduled_tier_review');
  const superAdmin = await buildUser(owner, 'ADMIN', { organizationId: null, scope: 'SUPER' });
  const seated = await buildUser(owner, 'ADMIN', {
    ...{ organizationId: null, scope: 'SUPER', seats: ['HIGH_INTENSITY_SPECIALIST'] },
  });
  const { decision } = (await council.packet(specialist, id)).recommendation as Json;
  const body = { decision: 'maintain', ...(decision === 'maintain' ? {} : evaluated) };
  for (const user of [pupil.teacher, await council.admin(pupil), superAdmin]) {
    const before = await council.everything(pupil);
    assert.equal(summary(await council.approve(user, id, body)).slice(0, 2), [403, 'PERMISSION_DENIED']);
    assert.equal(await council.everything(pupil), before);
  }
  const deferral = { decision: 'defer', deferralCode: 'Awaiting_Probes' };
  made(await council.approve(pupil.teacher, id, deferral), 200);
  made(await council.assemble(pupil.teacher, { packetId: id }), 200);
  assert.is(made(await council.approve(seated, id, body), 200).status, 'approved');
  const own = await assembled(specialist, pupil, 'scheduled_tier_review');
  const stays = (await council.packet(specialist, own)).recommendation as Json;
  const again = { decision: 'maintain', ...(stays.decision === 'maintain' ? {} : evaluated) };
  assert.is(made(await council.approve(specialist, own, again), 200).toTier, 3, 'GTE-04 is about moves');
});

test('GTE-04: the opener cannot approve a packet out of the third tier', async () => {
  const pupil = await council.supported(enough);
  await factsOf(owner, pupil).movement(2, 3, '2026-01-11');
  const specialist = await council.specialist(pupil);
  const id = await assembled(specialist, pupil, 'tier_de_escalation');
  const before = await council.everything(pupil);
  const reply = await council.approve(specialist, id, { decision: 'de_escalate', ...evaluated });
  assert.equal(summary(reply).slice(0, 2), [403, 'PERMISSION_DENIED']);
  assert.equal(await council.everything(pupil), before);
});

test('GTE-05: a halt answers 200 and writes nothing; a deferral and a rejection are let through', async () => {
  const pupil = await plans.pupil();
  const { teacher } = pupil;
  const [first, second] = [await assembled(teacher, pupil, 'tier_escalation'), pupil];
  app.clock.advance(60_000);
  await plans.measure(second, { LK_FORM: 'CCC' }, 9);
  const before = await council.everything(pupil);
  for (const decision of ['maintain', 'escalate']) {
    const { status, body } = await council.approve(teacher, first, { decision });
    const { outcome, nextRecommendedDataAction, packet } = body as Json;
    assert.equal([status, outcome, nextRecommendedDataAction], [200, 'do_not_decide_yet', 'administer_more_items']);
    assert.equal((packet as Json).packetId, first);
    const [halted] = (packet as { gates: readonly Json[] }).gates;
    assert.equal(halted, { gateId: 'GTE-05', met: false, issue: 'do_not_decide_yet' });
  }
  assert.equal(await council.everything(pupil), before);
  made(await council.approve(teacher, first, { decision: 'defer', deferralCode: 'Awaiting_Probes' }), 200);
  made(await council.reject(teacher, first, 'Evidence_Conflicts'), 200);
});

test('GTE-06, GTE-07: the tier and the evidence are those that were frozen', async () => {
  const pupil = await plans.pupil();
  const { teacher } = pupil;
  const id = await assembled(teacher, pupil, 'tier_escalation');
  app.clock.advance(60_000);
  await plans.measure(pupil, wordsWrong, 9);
  const { decision } = (await council.packet(teacher, id)).recommendation as Json;
  const body = { decision: 'maintain', ...(decision === 'maintain' ? {} : evaluated) };
  await refused(pupil, teacher, id, body, [409, 'CONFLICT', 'evidence_stale']);
  await factsOf(owner, pupil).movement(1, 2, '2026-01-11');
  await refused(pupil, teacher, id, body, [409, 'CONFLICT', 'tier_changed']);
});

test('GTE-08, GTE-09: insufficient data allows no movement, circumstances only with a reason', async () => {
  const pupil = await plans.pupil();
  const { teacher } = pupil;
  await factsOf(owner, pupil).support();
  await factsOf(owner, pupil).flag('2026-01-11');
  const id = await assembled(teacher, pupil, 'tier_escalation');
  const { decision, dataSufficiency } = (await council.packet(teacher, id)).recommendation as Json;
  assert.equal([decision, dataSufficiency], ['defer', 'contextual']);
  await refused(pupil, teacher, id, { decision: 'escalate' }, [409, 'CONFLICT', 'insufficient_data']);
  await refused(pupil, teacher, id, { decision: 'maintain' }, override('override_required'));
  const approved = made(await council.approve(teacher, id, { decision: 'escalate', ...evaluated }), 200);
  assert.equal([approved.status, approved.toTier, approved.overrideCode], ['approved', 2, evaluated.overrideCode]);
  const next = await assembled(teacher, pupil, 'tier_de_escalation');
  await refused(pupil, teacher, next, { decision: 'de_escalate' }, [409, 'CONFLICT', 'insufficient_data']);
});

test('GTE-10: a reason exactly where the decision is another one than was recommended', async () => {
  const pupil = await plans.pupil({ ...wordsWrong, LIS_LITERAL: 'UUUU' });
  await council.evaluate(pupil);
  const { teacher } = pupil;
  const id = await assembled(teacher, pupil, 'tier_escalation');
  assert.is(((await council.packet(teacher, id)).recommendation as Json).decision, 'escalate');
  await refused(pupil, teacher, id, { decision: 'maintain' }, override('override_required'));
  await refused(pupil, teacher, id, { decision: 'escalate', ...evaluated }, override('override_not_needed'));
  const [alert] = await council.alerts(pupil);
  const kept = made(await council.approve(teacher, id, { decision: 'maintain', ...evaluated }), 200);
  assert.equal([kept.toTier, kept.movementId], [1, null]);
  const [closed] = await council.alerts(pupil);
  assert.equal([closed?.id, closed?.state, closed?.closeReason], [alert?.id, 'closed', 'decision_committed']);
  assert.is((await council.decisions(pupil)).at(-1)?.closedAlertId, alert?.id);
});

test('an acute regression is moved on its own evidence, without delivery or weeks; other reviews wait for it', async () => {
  const pupil = await plans.pupil();
  const { teacher } = pupil;
  await factsOf(owner, pupil).support();
  await factsOf(owner, pupil).movement(1, 2, '2026-01-04');
  const waiting = await assembled(teacher, pupil, 'scheduled_tier_review');
  const acute = {
    kind: 'acute_regression_review',
    severity: 5,
    ruleId: 'RAL-02',
    subSkillCode: 'DEC_WORD',
    domainCode: 'DEC',
  };
  const alertId = await buildAlert(owner, pupil, acute);
  await refused(pupil, teacher, waiting, { decision: 'maintain', ...evaluated }, [409, 'CONFLICT', 'packet_required']);
  await refused(pupil, teacher, waiting, { decision: 'escalate', ...evaluated }, [403, 'PERMISSION_DENIED', null]);
  const [opener, decider] = [await council.specialist(pupil), await council.specialist(pupil)];
  const id = await assembled(opener, pupil, 'acute_regression');
  const packet = await council.packet(opener, id);
  const { decision, ruleId, reason, fidelity } = packet.recommendation as Json;
  assert.equal([packet.alertId, decision, ruleId, reason], [alertId, 'escalate', 'TRC-04', 'NO_DELIVERY']);
  assert.is((fidelity as Json).gate, 'not_applicable');
  assert.ok(
    packet.gates.every(({ met }) => met),
    JSON.stringify(packet.gates),
  );
  const approved = made(await council.approve(decider, id, { decision: 'escalate' }), 200);
  assert.equal([approved.toTier, (await council.movements(pupil)).at(-1)?.toTier], [3, 3]);
  assert.is((await council.alerts(pupil)).find((one) => one.id === alertId)?.state, 'closed');
});

test.run();
