// Commit and approval: the rows of the contract's tables in their order, with one call that fails each and none before it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ApprovalCall, ApprovalStudent, ApprovedPacket } from '#support/rti/engine/packets/approval-check.ts';
import { askedGates, checkApproval, gatesOf, reasonFault } from '#support/rti/engine/packets/approval-check.ts';
import { openable } from '#support/rti/engine/packets/openable.ts';
import { type CommitCall, type CommitState, checkCommit } from '#support/rti/engine/tiers/commit-check.ts';
import { reviewTypes } from '#support/rti/engine/vocabulary.ts';
import { rti } from './bundle.ts';

const state: CommitState = {
  ...{ recommendation: { recommendationId: 'r', decision: 'maintain' }, tier: 2, gate: 'pass' },
  ...{ acuteOpen: false, insufficient: false, halted: false },
};
const call: CommitCall = { recommendationId: 'r', decision: 'maintain' };
const reason = 'Rti_Evidence_Conflict_01';

/** §4.7, from the last check to the first: each row keeps the faults of the rows before it. */
const commits: readonly [string, Partial<CommitCall>, Partial<CommitState>, number, string | null][] = [
  ['nothing is wrong', {}, {}, 201, null],
  ['9', { overrideCode: reason }, {}, 422, 'override_not_needed'],
  ['8', { decision: 'defer' }, {}, 422, 'override_required'],
  ['8, with a reason', { decision: 'defer', overrideCode: reason }, {}, 201, null],
  ['7', { decision: 'de_escalate' }, { insufficient: true }, 409, 'insufficient_data'],
  ['6', { decision: 'escalate' }, { tier: 1, gate: 'fail', insufficient: true }, 409, 'fidelity_gate'],
  [
    '6, nothing planned yet',
    { decision: 'escalate', overrideCode: reason },
    { tier: 1, gate: 'not_applicable' },
    201,
    null,
  ],
  ['5 before 6', { decision: 'escalate' }, { gate: 'not_applicable' }, 409, 'packet_required'],
  ['5, from the most intensive tier', { decision: 'de_escalate' }, { tier: 3 }, 409, 'packet_required'],
  ['5, a regression is open', { decision: 'de_escalate' }, { acuteOpen: true }, 409, 'packet_required'],
  ['5 asks for moves alone', { decision: 'maintain' }, { tier: 3, acuteOpen: true, gate: 'fail' }, 201, null],
  ['4', { decision: 'escalate' }, { tier: 3, acuteOpen: true, gate: 'fail' }, 409, 'tier_bound'],
  ['4, below', { decision: 'de_escalate' }, { tier: 1 }, 409, 'tier_bound'],
  ['3', { decision: 'escalate', recommendationId: 'old' }, { tier: 3 }, 409, 'recommendation_stale'],
  ['2', { recommendationId: 'old' }, { halted: true }, 200, 'do_not_decide_yet'],
  ['1', { overrideCode: 'Pkt_Team_Judgement_08' }, { halted: true }, 422, 'wrong_scope'],
  ['1, no code at all', { overrideCode: 'Because' }, { halted: true }, 422, 'unknown_code'],
];
for (const [what, changed, given, status, issue] of commits) {
  test(`commit ${what}`, () => {
    assert.equal(checkCommit({ ...call, ...changed }, { ...state, ...given }, rti.codes), { status, issue });
  });
}

const rules = { ...rti.packets, codes: rti.codes };
const packet: ApprovedPacket = {
  ...{ status: 'under_review', reviewType: 'scheduled_tier_review', fromTier: 2, openedBy: 1 },
  ...{ evidenceFresh: true, recommended: 'maintain' },
};
const student: ApprovalStudent = { tier: 2, halted: false, gate: 'pass', reason: 'NONE', acuteOpen: false };
const specialist = { id: 2, persona: 'ADMIN', isSpecialist: true };
const team = 'Pkt_Team_Judgement_08';
const up = { decision: 'escalate', overrideCode: team } as const;

type Approval = [
  string,
  Partial<ApprovalCall>,
  Partial<ApprovedPacket>,
  Partial<ApprovalStudent>,
  number,
  string | null,
];
const approvals: readonly Approval[] = [
  ['nothing is wrong', {}, {}, {}, 200, null],
  ['GTE-10, without a reason', { decision: 'escalate' }, {}, {}, 422, 'override_required'],
  ['GTE-10, with a reason too many', { overrideCode: team }, {}, {}, 422, 'override_not_needed'],
  ['GTE-09', up, {}, { reason: 'TOO_FEW_WEEKS' }, 409, 'insufficient_data'],
  ['GTE-09, circumstances and a reason', up, {}, { reason: 'CONTEXT_ACTIVE' }, 200, null],
  ['GTE-09 asks for moves alone', {}, {}, { reason: 'TOO_FEW_WEEKS', gate: 'fail' }, 200, null],
  ['GTE-08', up, {}, { gate: 'fail', reason: 'LOW_FIDELITY' }, 409, 'fidelity_gate'],
  ['GTE-08, nothing planned at tier 2', up, {}, { gate: 'not_applicable' }, 409, 'fidelity_gate'],
  ['GTE-07', up, { evidenceFresh: false }, { gate: 'fail' }, 409, 'evidence_stale'],
  ['after GTE-06', up, { evidenceFresh: false }, { acuteOpen: true }, 409, 'packet_required'],
  ['GTE-06', up, { evidenceFresh: false }, { tier: 1, acuteOpen: true }, 409, 'tier_changed'],
  ['GTE-05', up, {}, { halted: true, tier: 1 }, 200, 'do_not_decide_yet'],
  ['GTE-04', { ...up, caller: { ...specialist, id: 1 } }, {}, { halted: true }, 403, 'PERMISSION_DENIED'],
  ['GTE-03', { ...up, caller: { ...specialist, isSpecialist: false } }, {}, { halted: true }, 403, 'PERMISSION_DENIED'],
  ['GTE-03, a teacher', { ...up, caller: { ...specialist, persona: 'TEACHER' } }, {}, {}, 403, 'PERMISSION_DENIED'],
  [
    'GTE-03 to stay at the most intensive tier',
    { caller: { ...specialist, isSpecialist: false } },
    { fromTier: 3 },
    { tier: 3 },
    403,
    'PERMISSION_DENIED',
  ],
  ['GTE-04 is about moves', { caller: { ...specialist, id: 1 } }, { fromTier: 3 }, { tier: 3 }, 200, null],
  [
    'GTE-02',
    { decision: 'de_escalate' },
    { reviewType: 'tier_escalation' },
    { halted: true },
    422,
    'decision_not_allowed',
  ],
  ['GTE-02, no such tier', up, { fromTier: 3 }, { tier: 3 }, 422, 'decision_not_allowed'],
  [
    'GTE-02, an intensive review moves tier 2 alone',
    up,
    { reviewType: 'intensive_review', fromTier: 1 },
    {},
    422,
    'decision_not_allowed',
  ],
  ['GTE-01, a draft', { decision: 'de_escalate' }, { status: 'draft', fromTier: null }, {}, 409, 'invalid_transition'],
  ['GTE-01, deferred', {}, { status: 'deferred' }, {}, 409, 'invalid_transition'],
  ['GTE-01, closed, before the halt', {}, { status: 'approved' }, { halted: true }, 409, 'packet_closed'],
  ['the body first', { overrideCode: reason }, { status: 'approved' }, {}, 422, 'wrong_scope'],
  ['a deferral has its code', { decision: 'defer' }, { status: 'approved' }, {}, 422, 'required'],
  ['and nothing else has', { deferralCode: 'Awaiting_Probes' }, {}, {}, 422, 'not_for_decision'],
  ['a code of another dictionary', { decision: 'defer', deferralCode: 'School_Break' }, {}, {}, 422, 'unknown_code'],
  [
    'a deferral needs GTE-01 and 02 only',
    { decision: 'defer', deferralCode: 'Awaiting_Probes', caller: { ...specialist, isSpecialist: false } },
    { fromTier: 3, evidenceFresh: false },
    { halted: true, acuteOpen: true },
    200,
    null,
  ],
];
for (const [what, changed, of, about, status, issue] of approvals) {
  test(`approve ${what}`, () => {
    const asked = { decision: 'maintain', caller: specialist, ...changed } as const;
    assert.equal(checkApproval(asked, { ...packet, ...of }, { ...student, ...about }, rules), { status, issue });
  });
}

test('an acute regression: too few weeks, points and no delivery do not block, low fidelity does', () => {
  const acute = { ...packet, reviewType: 'acute_regression', recommended: 'escalate' } as const;
  const asked = { decision: 'escalate', caller: specialist } as const;
  const about = (given: Partial<ApprovalStudent>) =>
    checkApproval(asked, acute, { ...student, acuteOpen: true, ...given }, rules).issue;
  for (const why of ['NO_DELIVERY', 'TOO_FEW_WEEKS', 'TOO_FEW_POINTS'] as const)
    assert.is(about({ reason: why }), null);
  assert.is(about({ gate: 'not_applicable', reason: 'NO_DELIVERY' }), null);
  assert.is(about({ gate: 'fail', reason: 'LOW_FIDELITY' }), 'fidelity_gate');
  assert.is(about({ reason: 'CONTEXT_ACTIVE' }), 'insufficient_data');
});

test('the gates of a packet are evaluated for one decision, all of them', () => {
  const asked = { ...packet, recommended: 'escalate', evidenceFresh: false } as const;
  const about = { ...student, tier: 1, gate: 'fail', reason: 'LOW_FIDELITY' } as const;
  assert.equal(gatesOf({ decision: 'escalate' }, asked, about, rules), [
    { gateId: 'GTE-05', met: true, issue: null },
    { gateId: 'GTE-06', met: false, issue: 'tier_changed' },
    { gateId: 'GTE-07', met: false, issue: 'evidence_stale' },
    { gateId: 'GTE-08', met: false, issue: 'fidelity_gate' },
    { gateId: 'GTE-09', met: false, issue: 'insufficient_data' },
  ]);
  assert.ok(
    gatesOf({ decision: 'escalate' }, { ...packet, evidenceFresh: true }, student, rules).every(({ met }) => met),
  );
});

// 51 §6.3: a deferral skips all five, maintain skips 08 and 09, de_escalate skips 08.
const unasked = {
  ...{ defer: ['GTE-05', 'GTE-06', 'GTE-07', 'GTE-08', 'GTE-09'], maintain: ['GTE-08', 'GTE-09'] },
  ...{ de_escalate: ['GTE-08'], escalate: [] },
} as const;
const everyGate = unasked.defer;

for (const [decision, ids] of Object.entries(unasked) as [keyof typeof unasked, readonly string[]][]) {
  test(`a gate that ${decision} does not ask for is neither met nor missed, now and as it was stored`, () => {
    const stale = { ...packet, evidenceFresh: false };
    const about = { ...student, tier: 1, halted: true, gate: 'fail', reason: 'LOW_FIDELITY' } as const;
    const found = gatesOf({ decision }, stale, about, rules);
    assert.equal(
      found.map(({ gateId }) => gateId),
      everyGate,
    );
    const asked = (gateId: string) => !ids.includes(gateId);
    for (const { gateId, met, issue } of found) {
      assert.is(met, asked(gateId) ? false : null, gateId);
      assert.is(issue === 'not_asked', !asked(gateId), gateId);
    }
    for (const met of [true, false]) {
      const stored = everyGate.map((gateId) => ({ gateId, met, issue: met ? null : 'tier_changed' }));
      const shown = askedGates(decision, stored, rules);
      assert.equal(
        shown,
        stored.map((one) => (asked(one.gateId) ? one : { gateId: one.gateId, met: null, issue: 'not_asked' })),
      );
    }
  });
}

test('where nothing was decided or recommended no gate is asked', () => {
  const found = gatesOf({ decision: null }, packet, student, rules);
  assert.ok(found.every(({ met, issue }) => met === null && issue === 'not_asked'));
});

test('which reviews may be opened', () => {
  const at = (given: Partial<Parameters<typeof openable>[0]>) =>
    openable({ tier: 2, alert: null, contextual: false, profile: 'DECODING_NEED', ...given }, rti.packets);
  assert.equal(at({ alert: 'Intensive_Review' }), [
    'tier_escalation',
    'tier_de_escalation',
    'intensive_review',
    'scheduled_tier_review',
  ]);
  assert.equal(at({ alert: 'acute_regression_review' }), ['acute_regression']);
  assert.equal(at({ alert: 'acute_regression_review', contextual: true }), [
    'acute_regression',
    'contextual_clarification',
  ]);
  assert.equal(at({ tier: 1, profile: 'CAUTIONARY_WATCH' }), ['tier_escalation', 'contextual_clarification']);
  assert.equal(at({ tier: 3, contextual: true }), [
    'tier_de_escalation',
    'scheduled_tier_review',
    'contextual_clarification',
  ]);
  assert.is(rti.packets.reviews.length, reviewTypes.length);
});

test('reasons of a rejection', () => {
  assert.is(reasonFault('Evidence_Outdated', 'packet_rejection', rti.codes), undefined);
  assert.is(reasonFault('Awaiting_Probes', 'packet_rejection', rti.codes), 'unknown_code');
});

test.run();
