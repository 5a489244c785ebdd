// The life cycle of an assignment: every state with every trigger; reviews, check by check; and recipients.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type ActivationCall,
  type ActivationState,
  checkActivation,
} from '#support/interventions/engine/assignments/activation-check.ts';
import { monitoringOf, sessionsPerWeekOf, workloadOf } from '#support/interventions/engine/assignments/dosage.ts';
import {
  firstState,
  moved,
  moveId,
  moveTriggers,
  reviewActions,
} from '#support/interventions/engine/assignments/moves.ts';
import { compileRecipients } from '#support/interventions/engine/assignments/recipients.ts';
import {
  checkReview,
  type ReviewCall,
  type ReviewedAssignment,
} from '#support/interventions/engine/assignments/review-check.ts';
import { assignmentStates } from '#support/interventions/engine/vocabulary.ts';
import { bundle, engines } from '../runs.ts';

/** Every pair that is a move, from the contract; all others are refused (AS-11, AS-12). */
const moves: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  scheduled: { start: 'active', stop: 'stopped', replace: 'superseded', leave: 'stopped', reassign: 'scheduled' },
  active: {
    ...{ pause: 'paused', last_step_done: 'completed', complete: 'completed', stop: 'stopped', replace: 'superseded' },
    ...{ leave: 'stopped', extend: 'active', step_up: 'active', step_down: 'active', reassign: 'active' },
    acknowledge_off_track: 'active',
    ...{ expire_given: 'completed', expire_not_given: 'stopped' },
  },
  paused: { resume: 'active', stop: 'stopped', replace: 'superseded', leave: 'stopped', reassign: 'paused' },
};

test('AS-03 to AS-13: every state with every trigger', () => {
  for (const state of assignmentStates) {
    for (const trigger of [...reviewActions, ...moveTriggers]) {
      assert.is(moved(state, trigger), moves[state]?.[trigger] ?? null, `${state} ${trigger}`);
    }
  }
  assert.equal(
    [firstState('2026-01-02', '2026-01-02'), firstState('2026-01-03', '2026-01-02')],
    ['active', 'scheduled'],
  );
  const ids = [...moveTriggers, ...reviewActions].flatMap((trigger) => moveId(trigger) ?? []);
  const own = ['AS-03', 'AS-04', 'AS-05', 'AS-06', 'AS-07', 'AS-08', 'AS-09', 'AS-10'];
  assert.equal(ids.sort(), [...own, 'AS-13', 'AS-13']);
});

const { settings, codes, recommendation } = engines;
const rules = { catalogue: recommendation.catalogue, codes, capacity: settings.openAssignments, settings };
const student: ActivationState = {
  ...{ halted: false, grade: 2, openBundles: [] },
  recommendation: { bundle_id: 'BND-DECODE-01', scaffoldTier: 'Level_3', deliveryMode: 'teacher_led_small_group' },
};
const give = (call: Partial<ActivationCall>, state: Partial<ActivationState> = {}) =>
  checkActivation({ bundle_id: 'BND-DECODE-01', ...call }, { ...student, ...state }, rules);
const confirmed = { confirmOffRecommendation: true, overrideCode: 'Wfl_Bundle_Substitution_03' };

test('activation: the bundle itself, with tier and mode that are recommended or left open', () => {
  assert.equal(give({}), { status: 201 });
  assert.equal(give({ scaffoldTier: 'Level_3', deliveryMode: 'teacher_led_small_group' }), { status: 201 });
  assert.equal(give({ bundle_id: 'SUP-DECODE-01', ...confirmed }), { status: 201 });
});

for (const [what, call, state, expected] of [
  ['an unknown code', { overrideCode: 'Nobody_99' }, { halted: true }, { status: 422, issue: 'unknown_code' }],
  ['a code of another scope', { overrideCode: 'Gam_Award_Invalid_05' }, {}, { status: 422, issue: 'wrong_scope' }],
  [
    'a halted student, whatever the code',
    { bundle_id: 'NO-SUCH-01', ...confirmed },
    { halted: true },
    { status: 200, outcome: 'blocked_insufficient_evidence' },
  ],
  ['an unknown bundle', { bundle_id: 'NO-SUCH-01' }, {}, { status: 422, issue: 'unknown_bundle' }],
  ['another grade’s bundle', { bundle_id: 'BND-DECODE-02' }, {}, { status: 422, issue: 'not_active' }],
  ['a draft', { bundle_id: 'FUT-WRITING-01' }, {}, { status: 422, issue: 'not_active' }],
  ['what cannot be assigned', { bundle_id: 'NIO-CORE-01' }, {}, { status: 422, issue: 'not_assignable' }],
  [
    'a mode that is not offered',
    { deliveryMode: 'digital_self_paced' },
    {},
    { status: 422, issue: 'mode_not_offered' },
  ],
  [
    'all that differs',
    { bundle_id: 'SUP-DECODE-01', scaffoldTier: 'Level_1', deliveryMode: 'blended' },
    {},
    { status: 409, issue: 'confirmation_required', fields: ['bundle_id', 'scaffoldTier', 'deliveryMode'] },
  ],
  [
    'anything while nothing is recommended',
    {},
    { recommendation: null },
    { status: 409, issue: 'confirmation_required', fields: ['bundle_id'] },
  ],
  [
    'a confirmed difference without a reason',
    { scaffoldTier: 'Level_1', confirmOffRecommendation: true },
    {},
    { status: 422, issue: 'override_required' },
  ],
  ['a reason without a difference', confirmed, {}, { status: 422, issue: 'override_not_needed' }],
  ['a bundle that is open', {}, { openBundles: ['BND-DECODE-01'] }, { status: 409, issue: 'already_open' }],
  ['a third plan', {}, { openBundles: ['SUP-COMP-01', 'SUP-PHON-01'] }, { status: 409, issue: 'capacity' }],
] as const) {
  test(`activation refuses ${what}`, () => assert.equal(give(call, state), expected));
}

const goal = { minScored: 6, minRate: 0.8 };
const assignment: ReviewedAssignment = {
  ...{ state: 'active', trackStatus: 'on_track', scaffoldTier: 'Level_2', plannedWeeks: 8, extensions: 0 },
  ...{ completeWeeks: 6, halted: false },
  steps: [
    { goal: null, goalState: 'none', rate: null },
    { goal, goalState: 'met', rate: 0.9 },
  ],
};
const review = (call: ReviewCall, more: Partial<ReviewedAssignment> = {}, replacing?: ActivationState) =>
  checkReview(call, { ...assignment, ...more }, rules, replacing);
const reason = 'Wfl_Plan_Adjustment_04';
const unmet = [{ goal, goalState: 'not_met', rate: 0.4 }] as const;

const allowed: readonly (readonly [ReviewCall, Partial<ReviewedAssignment>])[] = [
  [{ action: 'pause', reasonCode: 'School_Break' }, {}],
  [{ action: 'resume' }, { state: 'paused' }],
  [{ action: 'stop', reasonCode: 'Need_Changed' }, { state: 'scheduled' }],
  [{ action: 'extend' }, {}],
  [{ action: 'extend', confirmOffRecommendation: true, overrideCode: reason }, { completeWeeks: 5 }],
  [{ action: 'step_up' }, {}],
  [{ action: 'step_up', confirmOffRecommendation: true, overrideCode: reason }, { steps: unmet }],
  [{ action: 'step_down' }, { steps: unmet }],
  [{ action: 'complete' }, {}],
  [{ action: 'complete', confirmOffRecommendation: true, overrideCode: reason }, { steps: unmet }],
  [{ action: 'acknowledge_off_track' }, { trackStatus: 'off_track' }],
  [{ action: 'reassign', providerUserId: 7 }, { state: 'paused' }],
  [{ action: 'pause', reasonCode: 'Long_Absence' }, { halted: true }],
  [{ action: 'extend' }, { halted: true }],
];
for (const [call, more] of allowed) {
  test(`review allows ${JSON.stringify(call)} ${JSON.stringify(more)}`, () =>
    assert.equal(review(call, more), { status: 200 }));
}

const refusals: readonly (readonly [ReviewCall, Partial<ReviewedAssignment>, number, string])[] = [
  [{ action: 'resume', reasonCode: 'School_Break' }, {}, 422, 'not_for_action'],
  [{ action: 'pause', reasonCode: 'School_Break', bundle_id: 'SUP-COMP-01' }, {}, 422, 'not_for_action'],
  [{ action: 'pause' }, {}, 422, 'required'],
  [{ action: 'replace' }, {}, 422, 'required'],
  [{ action: 'pause', reasonCode: 'Need_Changed' }, {}, 422, 'wrong_scope'],
  [{ action: 'stop', reasonCode: 'No_Reason' }, {}, 422, 'unknown_code'],
  [{ action: 'complete', overrideCode: 'Pkt_Team_Judgement_08' }, {}, 422, 'wrong_scope'],
  [{ action: 'resume' }, {}, 409, 'invalid_transition'],
  [{ action: 'acknowledge_off_track' }, {}, 409, 'invalid_transition'],
  [{ action: 'extend' }, { extensions: 2 }, 409, 'extend_limit'],
  [{ action: 'step_up' }, { scaffoldTier: 'Level_1' }, 409, 'tier_bound'],
  [{ action: 'step_down' }, { scaffoldTier: 'Level_3' }, 409, 'tier_bound'],
  [{ action: 'extend' }, { completeWeeks: 5 }, 409, 'confirmation_required'],
  [{ action: 'step_up' }, { steps: [{ goal, goalState: 'met', rate: 0.8999 }] }, 409, 'confirmation_required'],
  [{ action: 'step_down' }, {}, 409, 'confirmation_required'],
  [{ action: 'complete' }, { steps: unmet }, 409, 'confirmation_required'],
  [{ action: 'complete', confirmOffRecommendation: true }, { steps: unmet }, 422, 'override_required'],
  [{ action: 'extend', overrideCode: reason }, {}, 422, 'override_not_needed'],
  [{ action: 'replace', bundle_id: 'BND-DECODE-01' }, { bundle_id: 'BND-DECODE-01' }, 409, 'already_open'],
];
for (const [call, more, status, issue] of refusals) {
  test(`review refuses ${JSON.stringify(call)} ${JSON.stringify(more)}: ${issue}`, () => {
    const { fields: _named, ...found } = { fields: [], ...review(call, more) };
    assert.equal(found, { status, issue });
  });
}

test('while a student is halted no decision about an assignment is allowed', () => {
  for (const action of ['complete', 'step_up', 'step_down'] as const) {
    assert.equal(review({ action }, { halted: true }), { status: 200, outcome: 'blocked_insufficient_evidence' });
  }
});

test('replace has the checks of an activation, without the replaced assignment', () => {
  const call = { action: 'replace', bundle_id: 'SUP-COMP-01' } as const;
  assert.equal(review(call, {}, student), { status: 409, issue: 'confirmation_required', fields: ['bundle_id'] });
  assert.equal(review({ ...call, ...confirmed }, {}, student), { status: 200 });
  assert.equal(review({ ...call, bundle_id: 'NIO-CORE-01' }, {}, student), { status: 422, issue: 'not_assignable' });
});

test('dosage: daily at tier 3; monitored where oral reading speaks of the role', () => {
  assert.equal(
    [1, 2, 3].map((tier) => sessionsPerWeekOf({ sessionsPerWeek: 3 }, tier as 1, settings)),
    [3, 3, 5],
  );
  assert.is(sessionsPerWeekOf({ sessionsPerWeek: null }, 3, settings), null);
  const asked = { role: 'DECODE', tier: 1, startOn: '2026-03-01', probedOn: null, asOf: '2026-03-15' } as const;
  const expected = { measureCode: 'ORF_WCPM', everyDays: 14, nextDueOn: '2026-03-15', overdue: false };
  assert.equal(monitoringOf(asked, settings), expected);
  assert.is(monitoringOf({ ...asked, asOf: '2026-03-16' }, settings)?.overdue, true);
  assert.is(monitoringOf({ ...asked, tier: 3 }, settings)?.nextDueOn, '2026-03-08');
  assert.is(monitoringOf({ ...asked, probedOn: '2026-03-10' }, settings)?.nextDueOn, '2026-03-24');
  assert.is(monitoringOf({ ...asked, probedOn: '2026-02-10' }, settings)?.nextDueOn, '2026-03-15');
  assert.is(monitoringOf({ ...asked, role: 'COMP' }, settings), null);
});

test('workload: a group is counted once, whatever its members', () => {
  const one = { bundle_id: 'SUP-COMP-01', deliveryMode: 'blended', sessionsPerWeek: 3, sessionMinutes: null } as const;
  const other = { ...one, bundle_id: 'BND-COMP-01', sessionsPerWeek: 5, sessionMinutes: 20 };
  assert.equal(workloadOf([one, one, other], settings), {
    instructionalMinutesPerWeek: 150,
    plannedMinutesPerWeek: 190,
    groups: [
      { bundle_id: 'BND-COMP-01', deliveryMode: 'blended', students: 1, minutesPerWeek: 100 },
      { bundle_id: 'SUP-COMP-01', deliveryMode: 'blended', students: 2, minutesPerWeek: 90 },
    ],
    overBy: 40,
  });
  assert.is(workloadOf([], settings).overBy, 0);
});

test('RCP: hard exclusions first, then the assignment', () => {
  const ask = compileRecipients(bundle);
  const none = { dndy: false, dataIncomplete: false, acuteOpen: false, hasActive: true };
  for (const [more, ruleId, outcome, reasonCode] of [
    [{ dndy: true, dataIncomplete: true }, 'RCP-01A', 'excluded_hard', 'do_not_decide_yet'],
    [{ dataIncomplete: true }, 'RCP-01B', 'excluded_hard', 'data_incomplete'],
    [{ acuteOpen: true, hasActive: false }, 'RCP-02', 'excluded_hard', 'acute_regression_open'],
    [{ hasActive: false }, 'RCP-03', 'excluded_soft', 'no_open_assignment'],
    [{}, 'RCP-99', 'included', 'none'],
  ] as const) {
    assert.equal(ask({ ...none, ...more }), { ruleId, outcome, reasonCode });
  }
});

test.run();
