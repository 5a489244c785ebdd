// timeout: 180s
// The response to support and its consequences: statuses of a role, covering assignments, flags, signals, and the way back to
// less support.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { signIn } from '../../../harness/factories.ts';
import { allRight, confirmed, type Pupil, reported } from '../../interventions/workflow/draft-bodies.ts';
import { overruled, useDeciding } from './world.ts';

const test = suite('responses to support');
const deciding = useDeciding(test);
const { plans, evaluate, recommendation, commit, situation, moved, at, reads, weekly, insert } = deciding;
const { app } = plans.shell;

const listensBadly = { ...allRight, LIS_LITERAL: 'UUUU' };

/** Language has no repeated measure, so its statuses count. */
async function listener(): Promise<Pupil> {
  at('2025-11-24');
  const pupil = await plans.pupil(listensBadly);
  await evaluate(pupil);
  await moved(pupil, 1, 2, '2025-12-01');
  return pupil;
}

const measuredAgain = async (pupil: Pupil, day: string, letters: string, from: number) => {
  at(day);
  await plans.measure(pupil, { LIS_LITERAL: letters }, from);
  await evaluate(pupil);
  return (await situation(pupil)).progress;
};

test('a role that stays as weak does not respond; before fourteen days the response is unknown', async () => {
  const pupil = await listener();
  assert.equal([(await situation(pupil)).focusRole, (await situation(pupil)).progress], ['LANGUAGE', 'unknown']);
  assert.is(await measuredAgain(pupil, '2025-12-14', 'UUUU', 5), 'unknown');
  assert.is(await measuredAgain(pupil, '2025-12-15', 'UUUU', 9), 'below');
  assert.is((await situation(pupil)).roleMeasurements, 3);
});

test('a role that is adequate by now has responded, though nothing is left to start at', async () => {
  const pupil = await listener();
  await plans.given(pupil, { bundle_id: 'BND-LANGUAGE-01' });
  for (const [place, day] of ['2025-12-20', '2025-12-28', '2026-01-04', '2026-01-11'].entries()) {
    await measuredAgain(pupil, day, 'CCCCCC', 5 + place * 6);
  }
  const { organizationId, id: studentId } = pupil;
  const [newest] = await inContext(app.database.owner, { organizationId }, (trx) =>
    trx('sse_domain_snapshot').where({ organizationId, studentId, domainCode: 'LIS' }).orderBy('id', 'desc').limit(1),
  );
  assert.is(newest.status, 'adequate');
  const found = await situation(pupil);
  assert.equal([found.profile.anchorRole, found.focusRole, found.progress], [null, 'LANGUAGE', 'above']);
});

test('a skill that an open assignment covers raises no alert of its own', async () => {
  const pupil = await plans.pupil({ ...allRight, DEC_WORD: 'CCCUUU' });
  await evaluate(pupil);
  assert.equal((await situation(pupil)).alertFacts.skillHits, ['DEC_WORD']);
  await plans.given(pupil, { bundle_id: 'SUP-DECODE-01', ...confirmed });
  assert.equal((await situation(pupil)).alertFacts.skillHits, []);
});

test('an open signal of an acute drop counts until it has opened an alert', async () => {
  const pupil = await plans.pupil(allRight);
  await reads(pupil, { '2025-10-05': 30, '2025-10-06': 31, '2025-10-08': 32, '2025-12-03': 33, '2025-12-10': 8 });
  const signal = (await situation(pupil)).alertFacts.acuteCbm;
  assert.ok(signal);
  await insert(pupil, 'rti_alert', {
    ...{ id: newId(), kind: 'acute_regression_review', severity: 5, state: 'closed', ruleId: 'RAL-02' },
    ...{ acuteSignalId: signal, openedAt: app.clock.now(), openedOn: '2026-01-12', closedAt: app.clock.now() },
    ...{ closedOn: '2026-01-12', closeReason: 'student_left', opened: '{}', ruleVersions: '{}' },
  });
  assert.is((await situation(pupil)).alertFacts.acuteCbm, null);
});

test('a flag of today asks for clarification; off it only with a reason', async () => {
  const pupil = await plans.pupil({ ...allRight, DEC_WORD: 'UUUU', LIS_LITERAL: 'UUUU' });
  await evaluate(pupil);
  const token = await signIn(app, pupil.teacher);
  const path = `/api/students/${pupil.id}/context-flag`;
  assert.is((await app.post(path, { flagCode: 'hearing_follow_up' }, { token })).status, 201);
  const found = await recommendation(pupil);
  assert.equal(
    [found.decision, found.ruleId, found.dataSufficiency, found.reason, found.requiredPacket],
    ['defer', 'TRC-02', 'contextual', 'CONTEXT_ACTIVE', 'contextual_clarification'],
  );
  assert.equal(found.decisionPossible, { weeksMissing: 0, creditsMissing: 0, pointsMissing: 3, earliestOn: null });
  const bare = await commit(pupil, { decision: 'escalate' });
  assert.equal(reported(bare), [422, 'VALIDATION_ERROR', 'overrideCode override_required']);
  const reply = await commit(pupil, { decision: 'escalate', ...overruled });
  assert.equal([reply.status, reply.body.recommendedDecision, reply.body.toTier], [201, 'defer', 2]);
});

test('support that helped leads back, and the movement begins where the newest one has led', async () => {
  const pupil = await plans.pupil(allRight);
  await evaluate(pupil);
  await moved(pupil, 1, 2, '2025-11-23');
  await plans.given(pupil, { startOn: '2025-11-23', ...confirmed });
  await weekly(pupil, '2025-11-23', [3, 3, 3, 3, 3, 3, 3]);
  await reads(pupil, { '2025-10-05': 14, '2025-10-06': 12, '2025-10-08': 15 });
  await reads(pupil, { '2025-12-03': 22, '2025-12-10': 25, '2025-12-17': 28 });
  const found = await recommendation(pupil);
  assert.equal(
    [found.decision, found.fromTier, found.toTier, found.ruleId, found.progress, found.requiredPacket],
    ['de_escalate', 2, 1, 'TRC-09', 'above', null],
  );
  const reply = await commit(pupil, { decision: 'de_escalate', effectiveOn: '2026-01-06' });
  assert.equal([reply.status, reply.body.toTier], [201, 1], JSON.stringify(reply.body));
  const after = await situation(pupil);
  assert.equal([after.tier, after.tierSince, after.weeksInTier], [1, '2026-01-06', 1]);
});

test.run();
