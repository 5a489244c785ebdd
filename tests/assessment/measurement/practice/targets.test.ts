// PRQ-TGT-01, PRQ-THE-01, PRQ-SE-01: the targets of a queue, and their priors.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseTargets } from '#assessment/measurement/practice/engine/targets.ts';
import { readPracticeValues } from '#assessment/measurement/practice/engine/values.ts';
import { bundle } from '../sessions.ts';

const values = readPracticeValues(bundle);
const order = ['A', 'B', 'C', 'D', 'E'];
const estimate = (subSkillCode: string, theta: number | null, se: number | null = theta === null ? null : 0.8) => ({
  subSkillCode,
  theta,
  se,
});
const codes = (...estimates: ReturnType<typeof estimate>[]) =>
  chooseTargets(estimates, order, values).map(({ subSkillCode }) => subSkillCode);

test('the shipped constants: 15 answers, 3 targets, theta 1, prior no narrower than 0.5', () => {
  assert.equal(values, { itemBudget: 15, maxTargets: 3, masteredTheta: 1, narrowestPriorSd: 0.5 });
});

test('PRQ-THE-01: below 1, weakest first, three at most', () => {
  assert.equal(codes(estimate('A', 0.9), estimate('B', -1), estimate('C', 1.2), estimate('D', 0)), ['B', 'D', 'A']);
  assert.equal(codes(estimate('A', 0.9), estimate('B', -1), estimate('C', -2), estimate('D', 0)), ['C', 'B', 'D']);
});

test('PRQ-THE-01: exactly 1 is mastered', () => {
  assert.equal(codes(estimate('A', 1), estimate('B', 0.9999)), ['B']);
});

test('without a theta comes last; ties go by the catalogue', () => {
  assert.equal(codes(estimate('E', null), estimate('C', 0.5), estimate('B', 0.5), estimate('A', null)), [
    'B',
    'C',
    'A',
  ]);
});

test('with all mastered the lowest one is practised', () => {
  assert.equal(codes(estimate('D', 1.4), estimate('C', 1.2), estimate('B', 1.2), estimate('A', 2)), ['B']);
});

test('PRQ-SE-01: prior N(theta, max(se, 0.5)), N(0, 1) without a theta', () => {
  const priors = chooseTargets(
    [estimate('A', -1.2, 0.71), estimate('B', 0.3, 0.4), estimate('C', null)],
    order,
    values,
  );
  assert.equal(
    priors.map(({ prior }) => prior),
    [
      { mean: -1.2, sd: 0.71 },
      { mean: 0.3, sd: 0.5 },
      { mean: 0, sd: 1 },
    ],
  );
});

test.run();
