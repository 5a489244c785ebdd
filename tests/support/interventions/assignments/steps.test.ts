// Sessions and the steps of an assignment: counted responses, evaluated goals and scaffold tiers.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Advanced,
  completionResultOf,
  type StepDelivery,
  type StepProgress,
  startedProgress,
} from '#support/interventions/engine/assignments/steps.ts';
import { engines } from '../runs.ts';

const goal = { minScored: 6, minRate: 0.8 };
const plan = [
  { stepNo: 1, sessionRole: 'GUIDED_PRACTICE', plannedSessions: 1, goal: null },
  { stepNo: 2, sessionRole: 'PROGRESS_CHECK', plannedSessions: 2, goal },
];
const targets = new Set(['DEC_WORD']);

/** This number of correct and wrong answers, each to an item of its own. */
const session = (right: number, wrong: number, more: Partial<StepDelivery> = {}, name = 'i'): StepDelivery => ({
  dndy: false,
  responses: Array.from({ length: right + wrong }, (_, at) => ({
    itemId: `${name}${at}`,
    subSkillCode: 'DEC_WORD',
    correct: at < right,
  })),
  ...more,
});
const none = session(0, 0);

function walk(
  deliveries: readonly StepDelivery[],
  tier: StepProgress['scaffoldTier'] = 'Level_2',
): readonly Advanced[] {
  const walked: Advanced[] = [];
  let progress = startedProgress(plan, tier);
  for (const delivery of deliveries) {
    const advanced = engines.steps(progress, delivery, targets);
    walked.push(advanced);
    progress = advanced.progress;
  }
  return walked;
}
const last = (deliveries: readonly StepDelivery[], tier?: StepProgress['scaffoldTier']) => {
  const { progress, ruleId, events } = walk(deliveries, tier).at(-1) as Advanced;
  const second = progress.steps[1];
  return { ruleId, step: progress.currentStepNo, goal: second?.goalState, tier: progress.scaffoldTier, events, second };
};

test('STP-02: a step without a goal ends with its sessions', () => {
  const { ruleId, step, goal: state } = last([none]);
  assert.equal([ruleId, step, state], ['STP-02', 2, 'pending']);
});

test('STP-03: enough responses and enough of them right, pooled over sessions', () => {
  assert.is(last([none, session(5, 0)]).ruleId, 'STP-99', 'five are too few');
  const pooled = last([none, session(3, 1, {}, 'a'), session(2, 0, {}, 'b')]);
  assert.equal([pooled.ruleId, pooled.goal, pooled.step], ['STP-03', 'met', null]);
  assert.equal([pooled.second?.scored, pooled.second?.correct, pooled.second?.rate], [6, 5, 0.8333]);
});

test('the first answer to an item counts, and only on target sub-skills', () => {
  const again = { ...session(6, 0), responses: [...session(0, 6).responses, ...session(6, 0).responses] };
  assert.equal([last([none, again]).second?.scored, last([none, again]).second?.correct], [6, 0]);
  const elsewhere = session(6, 0).responses.map((one) => ({ ...one, subSkillCode: 'LIS_LITERAL' }));
  assert.is(last([none, { dndy: false, responses: elsewhere }]).second?.rate, null);
});

test('responses of an earlier step do not count for the next one', () => {
  assert.is(last([session(6, 0), none]).second?.scored, 0);
});

test('STP-04: twice the planned sessions, and the goal is not met', () => {
  const three = [none, session(4, 2, {}, 'a'), none, none];
  assert.is(last(three).ruleId, 'STP-99');
  const late = last([...three, none]);
  assert.equal([late.ruleId, late.goal, late.step], ['STP-04', 'not_met', null]);
  assert.equal(late.events, [{ topic: 'plan_modification_suggestion', code: 'step_goal_not_met' }]);
  assert.is(completionResultOf(walk([...three, none]).at(-1)?.progress.steps ?? []), 'goals_not_met');
});

test('STP-01: while halted a session is counted and no goal evaluated; responses are kept', () => {
  const held = last([none, session(6, 0, { dndy: true })]);
  assert.equal([held.ruleId, held.goal, held.second?.deliveredSessions], ['STP-01', 'pending', 1]);
  assert.equal(held.events, []);
  const after = last([none, session(6, 0, { dndy: true }), none]);
  assert.equal([after.ruleId, after.goal], ['STP-03', 'met']);
  const long = [none, ...Array.from({ length: 9 }, () => session(0, 2, { dndy: true }))];
  assert.is(last(long).ruleId, 'STP-01');
});

test('support: less at 0.9, more below 0.5, never beyond the ends; only less of it is an event', () => {
  assert.is(last([none, session(9, 1)]).tier, 'Level_1');
  assert.is(last([none, session(8, 2)]).tier, 'Level_2');
  assert.is(last([none, session(9, 1)], 'Level_1').tier, 'Level_1');
  assert.equal(last([none, session(9, 1)], 'Level_3').events, [
    { topic: 'bundle_step_goal_met', stepNo: 2 },
    { topic: 'scaffold_tier_step_up', from: 'Level_3', to: 'Level_2' },
    { topic: 'bundle_completion' },
  ]);
  const failing = (right: number, wrong: number) => [none, session(right, wrong), none, none, none];
  assert.is(last(failing(2, 4)).tier, 'Level_3');
  assert.is(last(failing(3, 3)).tier, 'Level_2');
  assert.is(last(failing(2, 4), 'Level_3').tier, 'Level_3');
  assert.is(last(failing(2, 4)).events.length, 1);
  assert.is(last([none, none, none, none, none]).tier, 'Level_2', 'without a response nothing speaks for more');
});

test('one more right answer never turns a met goal into one that is not', () => {
  for (let right = 0; right <= 10; right += 1) {
    for (let wrong = 0; wrong <= 10; wrong += 1) {
      const isMet = (extra: number) => last([none, session(right + extra, wrong)]).goal === 'met';
      assert.ok(!isMet(0) || isMet(1), `${right} right, ${wrong} wrong`);
    }
  }
});

test('after the last step no session can be counted', () => {
  const done = walk([none, session(6, 0)]).at(-1)?.progress as StepProgress;
  assert.throws(() => engines.steps(done, none, targets), /all steps are done/);
});

test.run();
