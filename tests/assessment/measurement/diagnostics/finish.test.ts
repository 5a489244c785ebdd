// The finish reason and the estimates of a session.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { estimatesOf, finishReasonOf } from '#assessment/measurement/diagnostics/engine/finish.ts';
import { nextStep } from '#assessment/measurement/diagnostics/engine/next-item.ts';
import type { SessionState } from '#assessment/measurement/diagnostics/engine/state.ts';
import { bankOf } from '../items.ts';
import { posteriorMoments } from '../scoring/posterior.ts';
import { afterStep, play, sessionOf, times, values } from '../sessions.ts';

const two = ['DEC_WORD', 'LIS_LITERAL'];
const bank = bankOf({ DEC_WORD: 12, LIS_LITERAL: 12 });
const rules = { values, bank };
const estimates = (state: SessionState) => estimatesOf(state, bank, values);

test('finish reason completed: nothing is left to ask', () => {
  assert.is(finishReasonOf(play(sessionOf(two), rules, times(8, 'right')).state, rules), 'completed');
});

test('finish reason completed: the remaining sub-skills lack items', () => {
  const few = { values, bank: bankOf({ DEC_WORD: 12, LIS_LITERAL: 3 }) };
  assert.is(finishReasonOf(play(sessionOf(two), few, times(4, 'right')).state, few), 'completed');
});

test('finish reason stopped_early: more could be asked, or a served item is not answered', () => {
  const early = play(sessionOf(two), rules, times(5, 'right')).state;
  assert.is(finishReasonOf(early, rules), 'stopped_early');
  const last = play(sessionOf(['DEC_WORD']), rules, times(3, 'right')).state;
  assert.is(finishReasonOf(afterStep(last, nextStep(last, rules)), rules), 'stopped_early');
});

test('finish reason time_cap: the active time is used up, or too short to open what is left', () => {
  const used = play(sessionOf(two), rules, ['right', 'wrong'], 450_000).state;
  assert.is(finishReasonOf(used, rules), 'time_cap');
  const short = play(sessionOf(two), rules, times(4, 'right'), 210_000).state;
  assert.is(finishReasonOf(short, rules), 'time_cap');
});

test('estimates: one for each opened sub-skill in form order, none for one never opened', () => {
  const { state } = play(sessionOf(['DEC_WORD', 'LIS_LITERAL', 'VOC_MEANING']), rules, times(5, 'right'));
  assert.equal(
    estimates(state).map(({ subSkillCode, n, stopReason }) => ({ subSkillCode, n, stopReason })),
    [
      { subSkillCode: 'DEC_WORD', n: 4, stopReason: 'uniform' },
      { subSkillCode: 'LIS_LITERAL', n: 1, stopReason: 'session_end' },
    ],
  );
});

test('estimates: fewer than 3 scored give null, and skipped ones are not scored', () => {
  const answeredTwo = play(sessionOf(['DEC_WORD']), rules, ['right', 'skip', 'wrong']).state;
  assert.equal(
    estimates(answeredTwo).map(({ theta, se, n }) => ({ theta, se, n })),
    [{ theta: null, se: null, n: 2 }],
  );
  const answeredThree = play(sessionOf(['DEC_WORD']), rules, ['right', 'skip', 'wrong', 'right']).state;
  assert.is(estimates(answeredThree)[0]?.n, 3);
  assert.type(estimates(answeredThree)[0]?.theta, 'number');
});

test('estimates: theta and SE are the posterior moments under N(0,1), to 4 decimals', () => {
  const { state } = play(sessionOf(['DEC_WORD']), rules, ['right', 'wrong', 'right', 'right', 'wrong', 'right']);
  const answers = state.served.map(({ difficultyLogit }, index) => ({
    difficultyLogit,
    correct: state.responses[index]?.correct === true,
  }));
  const exact = posteriorMoments(answers, { mean: 0, sd: 1 });
  const [estimate] = estimates(state);
  assert.is(estimate?.theta, Math.round(exact.mean * 1e4) / 1e4);
  assert.is(estimate?.se, Math.round(exact.sd * 1e4) / 1e4);
  assert.is(estimate?.stopReason, 'max_items');
});

test('estimates: a sub-skill without further items has this stop reason', () => {
  const few = { values, bank: bankOf({ DEC_WORD: 4 }) };
  const { state } = play(sessionOf(['DEC_WORD']), few, ['right', 'wrong', 'right', 'wrong', 'right']);
  assert.is(estimatesOf(state, few.bank, values)[0]?.stopReason, 'no_eligible_item');
});

test('estimates: provisional while any item used has fewer than 300 answers behind it', () => {
  const calibrated = (n: number) => bankOf({ DEC_WORD: 12 }, { calibration: { n, version: 'CAL@1' } });
  const isProvisional = (n: number) => {
    const { state } = play(sessionOf(['DEC_WORD']), { values, bank: calibrated(n) }, times(4, 'right'));
    return estimatesOf(state, calibrated(n), values)[0]?.calibrationProvisional;
  };
  assert.is(isProvisional(299), true);
  assert.is(isProvisional(300), false);
});

test('replay: stored rows give equal estimates in any order of the answers', () => {
  const { state } = play(sessionOf(two), rules, ['right', 'wrong', 'skip', ...times(9, 'right')]);
  const stored = { ...state, responses: [...state.responses].reverse() };
  assert.equal(estimates(stored), estimates(state));
});

test.run();
