// Serving a queue: alternating targets, adaptive choice, exhausted targets, the budget.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  answeredOf,
  nextPracticeStep,
  type PracticeState,
  type PracticeStep,
} from '#assessment/measurement/practice/engine/next-item.ts';
import type { Target } from '#assessment/measurement/practice/engine/targets.ts';
import { bankOf } from '../items.ts';
import { type Reply, times, values } from '../sessions.ts';

const target = (subSkillCode: string, mean = 0, sd = 1): Target => ({ subSkillCode, prior: { mean, sd } });

const queueOf = (targets: readonly Target[], overrides: Partial<PracticeState> = {}): PracticeState => ({
  targets,
  itemBudget: 15,
  band: 'G12',
  seenItemIds: new Set(),
  closedSubSkills: new Set(),
  served: [],
  ...overrides,
});

/** Returns the state after a step and, for a served item, after the reply to it. */
function after(state: PracticeState, step: PracticeStep, reply: Reply): PracticeState {
  if (step.outcome === 'no_eligible_item')
    return { ...state, closedSubSkills: new Set([...state.closedSubSkills, step.subSkillCode]) };
  if (step.outcome !== 'item_served') return state;
  const seq = state.served.length + 1;
  const selectedOptionIndex = reply === 'skip' ? null : reply === 'right' ? 0 : 1;
  const { id: itemId, difficulty: difficultyLogit } = step.item;
  const answer = { selectedOptionIndex, correct: reply === 'right' };
  const row = { servedItemId: `s${seq}`, seq, itemId, subSkillCode: step.subSkillCode, difficultyLogit, answer };
  return { ...state, served: [...state.served, row] };
}

function play(start: PracticeState, rules: Parameters<typeof nextPracticeStep>[1], replies: readonly Reply[]) {
  const steps: PracticeStep[] = [];
  let state = start;
  for (const reply of replies) {
    const step = nextPracticeStep(state, rules);
    steps.push(step);
    state = after(state, step, reply);
  }
  return { state, steps };
}

const servedCodes = (steps: readonly PracticeStep[]) =>
  steps.flatMap((step) => (step.outcome === 'item_served' ? [step.subSkillCode] : []));

test('targets take turns', () => {
  const rules = { bank: bankOf({ A: 12, B: 12, C: 12 }), values };
  const { steps } = play(queueOf([target('B'), target('A'), target('C')]), rules, times(7, 'right'));
  assert.equal(servedCodes(steps), ['B', 'A', 'C', 'B', 'A', 'C', 'B']);
});

test('a target without items is reported, then left out', () => {
  const rules = { bank: bankOf({ A: 1, B: 12 }), values };
  const { steps } = play(queueOf([target('A'), target('B')]), rules, times(5, 'right'));
  assert.equal(
    steps.map((step) => (step.outcome === 'item_served' ? step.subSkillCode : step.outcome)),
    ['A', 'B', 'no_eligible_item', 'B', 'B'],
  );
});

test('with no target left the queue is complete, never another sub-skill or band', () => {
  const rules = { bank: bankOf({ A: 2, B: 12 }), values };
  const { steps } = play(queueOf([target('A')]), rules, times(5, 'right'));
  assert.equal(
    steps.map(({ outcome }) => outcome),
    ['item_served', 'item_served', 'no_eligible_item', 'queue_complete', 'queue_complete'],
  );
  const { steps: otherBand } = play(queueOf([target('A')], { band: 'G34' }), rules, times(1, 'right'));
  assert.is(otherBand[0]?.outcome, 'no_eligible_item');
});

test('until it is answered, the current item is returned', () => {
  const rules = { bank: bankOf({ A: 12 }), values };
  const { state } = play(queueOf([target('A')]), rules, ['right']);
  const open = { ...state, served: state.served.map((row) => ({ ...row, answer: null })) };
  const step = nextPracticeStep(open, rules);
  assert.is(step.outcome, 'waiting');
  assert.is(step.outcome === 'waiting' && step.served.servedItemId, 's1');
});

test('the first item is the nearest to the prior’s mean, later ones follow the answers', () => {
  const rules = { bank: bankOf({ A: 12 }), values };
  const first = nextPracticeStep(queueOf([target('A', -1.4)]), rules);
  assert.is(first.outcome === 'item_served' && first.item.difficulty, -1.4);
  const right = play(queueOf([target('A', -1.4)]), rules, times(3, 'right')).state;
  const wrong = play(queueOf([target('A', -1.4)]), rules, times(3, 'wrong')).state;
  assert.ok((right.served.at(-1)?.difficultyLogit ?? 0) > -1.4);
  assert.ok((wrong.served.at(-1)?.difficultyLogit ?? 0) < -1.4);
});

test('PRQ-BUD-01: skipped items do not use the budget up', () => {
  const rules = { bank: bankOf({ A: 12, B: 12 }), values };
  const replies: Reply[] = [...times(4, 'skip'), ...times(15, 'right'), 'right'];
  const { state, steps } = play(queueOf([target('A'), target('B')]), rules, replies);
  assert.is(steps.at(-1)?.outcome, 'queue_complete');
  assert.is(state.served.length, 19);
  assert.is(answeredOf(state.served), 15);
});

test('for all answers: no item twice, only targets, never more than the budget, and the queue ends', () => {
  const reply = fc.constantFrom<Reply>('right', 'wrong', 'skip');
  const cells = fc.record({ A: fc.integer({ min: 0, max: 8 }), B: fc.integer({ min: 0, max: 8 }) });
  fc.assert(
    fc.property(cells, fc.array(reply, { minLength: 40, maxLength: 40 }), (counts, replies) => {
      const rules = { bank: bankOf({ ...counts, Z: 12 }), values };
      const { state, steps } = play(queueOf([target('A'), target('B')]), rules, replies);
      const ids = state.served.map(({ itemId }) => itemId);
      assert.is(new Set(ids).size, ids.length);
      assert.ok(state.served.every(({ subSkillCode }) => subSkillCode === 'A' || subSkillCode === 'B'));
      assert.ok(answeredOf(state.served) <= 15);
      assert.is(steps.at(-1)?.outcome, 'queue_complete');
    }),
    { numRuns: 60 },
  );
});

test.run();
