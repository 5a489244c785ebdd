// Difficulties compared with R, with two independent implementations, and with the true values of simulated children.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { onlyItems } from '#assessment/measurement/calibration/engine/differential.ts';
import { estimate } from '#assessment/measurement/calibration/engine/estimate.ts';
import { standardErrors } from '#assessment/measurement/calibration/engine/information.ts';
import { patternsOf, type Sitting, type SittingPattern } from '#assessment/measurement/calibration/engine/responses.ts';
import { eapOf, nearestItem } from './adaptive.ts';
import { conditional, escalated, type Table } from './reference.ts';
import { type Choose, simulate } from './simulated.ts';

const near = (actual: readonly number[], expected: readonly number[], tolerance: number) => {
  assert.is(actual.length, expected.length);
  for (const [at, value] of expected.entries()) {
    assert.ok(Math.abs((actual[at] ?? Number.NaN) - value) <= tolerance, `${at}: ${actual[at]} is not ${value}`);
  }
};

/** Section 6 of the Law School Aptitude Test, 1000 people (Bock & Lieberman 1970): pattern → how many. */
const lsat6 =
  '00000:3 00001:6 00010:2 00011:11 00100:1 00101:1 00110:3 00111:4 01000:1 01001:8 01011:16 01101:3 01110:2 01111:15 ' +
  '10000:10 10001:29 10010:14 10011:81 10100:3 10101:28 10110:15 10111:80 11000:16 11001:56 11010:21 11011:173 ' +
  '11100:11 11101:61 11110:28 11111:298';
const lsat: SittingPattern[] = lsat6.split(' ').map((entry) => {
  const [answers = '', count] = entry.split(':');
  return { group: 0, items: [0, 1, 2, 3, 4], correct: [...answers].map((one) => one === '1'), count: Number(count) };
});
const five = { items: 5, groups: 1 };

test('LSAT 6: a thousand answers', () =>
  assert.is(
    lsat.reduce((sum, { count }) => sum + count, 0),
    1000,
  ));

// R, package ltm (Rizopoulos 2006): rasch(LSAT, constraint = cbind(length(LSAT) + 1, 1)); abilities N(0, 1).
test('LSAT 6 with known abilities: difficulties, standard errors and likelihood as in R', () => {
  const ability = { mean: 0, sd: 1 };
  const model = estimate(lsat, five, { ability });
  near(model.difficulties, [-2.872, -1.063, -0.2576, -1.3881, -2.2188], 0.0006);
  near([model.logLikelihood], [-2473.054], 0.01);
  near(standardErrors(model, lsat, false), [0.1287, 0.0821, 0.0766, 0.0865, 0.1048], 0.008);
});

// rasch(LSAT): discrimination 0.7551 stands for a standard deviation of 0.7551, difficulties times it.
test('LSAT 6 with abilities estimated: difficulties, spread and likelihood as in R', () => {
  const published = [-3.6153, -1.3224, -0.3176, -1.7301, -2.7802].map((value) => 0.7551 * value);
  const meanDifficulty = published.reduce((sum, value) => sum + value, 0) / 5;
  const model = estimate(lsat, five, { meanDifficulty });
  near(model.difficulties, published, 0.002);
  near([model.groups[0]?.mean ?? Number.NaN, model.groups[0]?.sd ?? Number.NaN], [0, 0.7551], 0.002);
  near([model.logLikelihood], [-2466.938], 0.01);
});

const difficulties = [-2.2, -1.4, -0.6, 0.2, 1, 1.8];
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rowsOf = (sittings: readonly Sitting[]) =>
  sittings.map(({ correct }) => correct.map((right): 0 | 1 => (right ? 1 : 0)));

test('complete answers: conditional estimation, which assumes no distribution, gives equal results', () => {
  const sittings = simulate({ count: 4000, mean: 0.3, sd: 1.1 }, difficulties, 11);
  const model = estimate(patternsOf(sittings), { items: 6, groups: 1 }, { meanDifficulty: 0 });
  near(model.difficulties, conditional(rowsOf(sittings)), 0.02);
});

test('incomplete answers: brute-force maximization of the marginal likelihood gives equal results', () => {
  const four = [-1, 0, 0.5, 1.5];
  const sittings = simulate({ count: 400, mean: 0, sd: 0.9 }, four, 12).map((sitting, at) => {
    const items = [0, 1, 2, 3].filter((item) => item !== at % 4);
    return { group: 0, items, correct: items.map((item) => sitting.correct[item] ?? false) };
  });
  const patterns = patternsOf(sittings);
  const table = patterns.map(
    ({ items, correct, count }): Table => ({
      answers: [0, 1, 2, 3].map((item) => (items.includes(item) ? (correct[items.indexOf(item)] ? 1 : 0) : null)),
      count,
    }),
  );
  const reference = escalated(table, 4);
  const model = estimate(patterns, { items: 4, groups: 1 }, { meanDifficulty: meanOf(reference.difficulties) });
  near(model.difficulties, reference.difficulties, 0.002);
  near([model.groups[0]?.mean ?? 1, model.groups[0]?.sd ?? 0], [0, reference.sd], 0.003);
});

const escalation = Array.from({ length: 12 }, (_, at) => (4 * at - 22) / 10);
const next = new Map<string, number | undefined>();

/**
 * Like a diagnostic: selects the item nearest to the present ability, until four are all right or wrong, or six were
 * asked.
 */
const adaptive = (): Choose => (asked, correct) => {
  const key = `${asked}|${correct}`;
  if (!next.has(key)) {
    const isOver = asked.length === 6 || (asked.length === 4 && new Set(correct).size === 1);
    next.set(key, isOver ? undefined : nearestItem(escalation, asked, eapOf(escalation, asked, correct)));
  }
  return next.get(key);
};

test('adaptive answers of two grades: no bias, errors of the size that is reported, grades distinguished', () => {
  const all = escalation.map((value, at) => value + ([0.3, -0.3, 0.15, -0.15][at % 4] ?? 0));
  const grades = [
    { count: 3000, mean: -0.4, sd: 1, group: 0 },
    { count: 3000, mean: 0.5, sd: 1.2, group: 1 },
  ];
  const sittings = grades.flatMap((grade, at) => simulate(grade, all, 21 + at, { choose: adaptive }));
  const asked = [...new Set(sittings.flatMap(({ items }) => items))].sort((one, other) => one - other);
  assert.ok(asked.length >= 11, 'the hardest item may never be asked');
  const truth = asked.map((item) => all[item] ?? 0);
  const patterns = patternsOf(onlyItems(sittings, asked));
  const model = estimate(patterns, { items: asked.length, groups: 2 }, { meanDifficulty: meanOf(truth) });
  assert.ok(model.converged);
  const errors = standardErrors(model, patterns, true);
  const misses = truth.map((value, at) => (model.difficulties[at] ?? Number.NaN) - value);
  const rmse = Math.sqrt(meanOf(misses.map((miss) => miss * miss)));
  const reported = Math.sqrt(meanOf(errors.map((error) => error * error)));
  assert.ok(rmse < 0.15, `RMSE ${rmse}`);
  assert.ok(rmse < 1.6 * reported && rmse > reported / 2, `RMSE ${rmse}, reported ${reported}`);
  const squares = truth.reduce((sum, b) => sum + b * b, 0);
  const slope = misses.reduce((sum, miss, at) => sum + miss * (truth[at] ?? 0), 0) / squares;
  assert.ok(Math.abs(slope) < 0.06, `bias grows with difficulty: ${slope}`);
  near(
    model.groups.flatMap(({ mean, sd }) => [mean, sd]),
    [-0.4, 1, 0.5, 1.2],
    0.15,
  );
});

test('standard errors equal the spread of repeated samples', () => {
  const samples = Array.from({ length: 24 }, (_, at) => {
    const patterns = patternsOf(simulate({ count: 500, mean: 0, sd: 1 }, difficulties, 100 + at));
    const model = estimate(patterns, { items: 6, groups: 1 }, { meanDifficulty: meanOf(difficulties) });
    return { found: model.difficulties, errors: standardErrors(model, patterns, true) };
  });
  for (const [item, truth] of difficulties.entries()) {
    const misses = samples.map(({ found }) => (found[item] ?? Number.NaN) - truth);
    const spread = Math.sqrt(meanOf(misses.map((miss) => miss * miss)));
    const reported = meanOf(samples.map(({ errors }) => errors[item] ?? 0));
    assert.ok(spread / reported > 0.7 && spread / reported < 1.4, `${item}: ${spread} and ${reported}`);
    assert.ok(Math.abs(meanOf(misses)) < 0.06, `bias of ${item}: ${meanOf(misses)}`);
  }
});

test.run();
