// Misfit and differential functioning: items that do not fit the model, and items that are harder for one group.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calibrateCell, type GroupedSitting } from '#assessment/measurement/calibration/engine/calibrate-cell.ts';
import { estimate } from '#assessment/measurement/calibration/engine/estimate.ts';
import { isMisfit, itemFits } from '#assessment/measurement/calibration/engine/fit.ts';
import { inverse } from '#assessment/measurement/calibration/engine/information.ts';
import { patternsOf } from '#assessment/measurement/calibration/engine/responses.ts';
import { random, simulate } from './simulated.ts';

const truth = Array.from({ length: 12 }, (_, at) => (4 * at - 22) / 10);
const items = truth.map((difficulty, at) => ({ id: `item-${at}`, version: 2, difficulty }));
const grouped = (sittings: ReturnType<typeof simulate>, other: boolean | null = null): GroupedSitting[] =>
  sittings.map((sitting) => ({ ...sitting, otherFirstLanguage: other }));
const flagsOf = (cell: ReturnType<typeof calibrateCell>) =>
  (cell?.items ?? []).filter(({ flags }) => flags.length > 0).map(({ id, flags }) => `${id} ${flags.join(' ')}`);

test('answers of the model: every item fits, mean squares are about 1', () => {
  const patterns = patternsOf(simulate({ count: 1500, mean: 0, sd: 1 }, truth, 31));
  const fits = itemFits(estimate(patterns, { items: 12, groups: 1 }, { meanDifficulty: 0 }), patterns);
  for (const fit of fits) {
    assert.not(isMisfit(fit));
    assert.ok(Math.abs(fit.infit - 1) < 0.08 && Math.abs(fit.outfit - 1) < 0.25, JSON.stringify(fit));
  }
});

test('an item that half of the children guess misfits, and no other does', () => {
  const guess = (item: number) => (item === 10 ? 0.5 : 0);
  const sittings = grouped(simulate({ count: 1500, mean: 0, sd: 1.5 }, truth, 32, { guess }));
  assert.equal(flagsOf(calibrateCell({ items, grades: [1], sittings })), ['item-10 misfit']);
});

test('an item harder by a logit for the second grade is named, however far the grades are apart', () => {
  const harder = truth.map((value, at) => (at === 5 ? value + 1 : value));
  const sittings = [
    ...grouped(simulate({ count: 1000, mean: -0.5, sd: 1 }, truth, 33)),
    ...grouped(simulate({ count: 1000, mean: 0.5, sd: 1, group: 1 }, harder, 34)),
  ];
  const cell = calibrateCell({ items, grades: [1, 2], sittings });
  assert.equal(flagsOf(cell), ['item-5 differs_by_grade']);
  const logits = cell?.items.find(({ id }) => id === 'item-5')?.byGrade ?? 0;
  assert.ok(logits > 0.6 && logits < 1.2, String(logits));
  assert.is(cell?.items[0]?.byFirstLanguage, null, 'nothing is known of first languages');
});

test('an item harder for children of another first language is named; children without information are left out', () => {
  const harder = truth.map((value, at) => (at === 3 ? value + 1.2 : value));
  const sittings = [
    ...grouped(simulate({ count: 1000, mean: 0, sd: 1 }, truth, 35), false),
    ...grouped(simulate({ count: 600, mean: -0.6, sd: 1 }, harder, 36), true),
    ...grouped(simulate({ count: 300, mean: 0, sd: 1 }, truth, 37)),
  ];
  assert.equal(flagsOf(calibrateCell({ items, grades: [1], sittings })), ['item-3 differs_by_first_language']);
});

test('items with few answers, or answered by all alike, keep their difficulty; the scale keeps its mean', () => {
  const sittings = grouped(simulate({ count: 400, mean: 0, sd: 1 }, truth, 38)).map((sitting, at) => ({
    ...sitting,
    items: sitting.items.filter((item) => item !== 0 || at < 29),
    correct: sitting.correct.filter((_, item) => item !== 0 || at < 29),
  }));
  const always = sittings.map((sitting) => ({
    ...sitting,
    correct: sitting.correct.map((right, at) => (sitting.items[at] === 11 ? false : right)),
  }));
  const cell = calibrateCell({ items, grades: [1], sittings: always });
  assert.equal(cell?.notCalibrated, ['item-0', 'item-11']);
  assert.is(cell?.items.length, 10);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const before = mean(cell?.items.map(({ before }) => before) ?? []);
  assert.ok(Math.abs(mean(cell?.items.map(({ estimate }) => estimate) ?? []) - before) < 1e-3);
  assert.is(calibrateCell({ items, grades: [1], sittings: [] }), undefined);
});

test('a grade with very few sittings has no distribution of its own', () => {
  const sittings = [
    ...grouped(simulate({ count: 300, mean: 0, sd: 1 }, truth, 42)),
    ...grouped(simulate({ count: 1, mean: 0, sd: 1, group: 1 }, truth, 43)),
  ];
  const cell = calibrateCell({ items, grades: [1, 2], sittings });
  assert.equal(
    cell?.grades.map(({ grade }) => grade),
    [1],
  );
  for (const { se } of cell?.items ?? []) assert.ok(se > 0.05 && se < 0.5, String(se));
});

test('an inverse times its matrix is the identity', () => {
  const uniform = random(39);
  const matrix = Array.from({ length: 7 }, () => Array.from({ length: 7 }, () => uniform() - 0.5));
  const found = inverse(matrix);
  for (const [row, line] of matrix.entries()) {
    for (const column of found.keys()) {
      const product = line.reduce((sum, value, at) => sum + value * (found[at]?.[column] ?? 0), 0);
      assert.ok(Math.abs(product - (row === column ? 1 : 0)) < 1e-9);
    }
  }
  assert.throws(() => inverse([[0]]), /no inverse/);
});

test.run();
