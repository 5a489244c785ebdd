// Growth and its standard error, compared with independent computations.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type DatedScore,
  decisionWeek,
  median,
  residualDeviation,
  slopeError,
  theilSenSlope,
} from '#assessment/measurement/fluency/engine/slope.ts';

const dayOf = (day: number) => new Date(Date.UTC(2025, 9, 1 + day)).toISOString().slice(0, 10);
const weeks = (count: number) => Array.from({ length: count }, (_, at) => dayOf(7 * at));

test('median: the middle one, or the mean of the middle two', () => {
  assert.is(median([3, 1, 2]), 2);
  assert.is(median([4, 1, 3, 2]), 2.5);
  assert.is(median([7]), 7);
  assert.throws(() => median([]), 'no median');
});

/** The median over all pairs by index, in days, by a full sort; independent of the engine. */
function naive(points: readonly { day: number; score: number }[]): number {
  const all: number[] = [];
  for (let j = 1; j < points.length; j++) {
    for (let i = 0; i < j; i++) {
      const [from, to] = [points[i], points[j]];
      if (from && to) all.push(((to.score - from.score) * 7) / (to.day - from.day));
    }
  }
  all.sort((a, b) => a - b);
  const half = all.length / 2;
  return all.length % 2 === 1 ? (all[Math.floor(half)] ?? 0) : ((all[half - 1] ?? 0) + (all[half] ?? 0)) / 2;
}

const series = fc
  .uniqueArray(fc.record({ day: fc.nat(120), score: fc.nat(200) }), {
    minLength: 2,
    maxLength: 14,
    selector: ({ day }) => day,
  })
  .map((list) => [...list].sort((left, right) => left.day - right.day));
const dated = (list: readonly { day: number; score: number }[]): DatedScore[] =>
  list.map(({ day, score }) => ({ date: dayOf(day), score }));

test('Theil-Sen equals a naive median of all pairs', () => {
  fc.assert(
    fc.property(series, (list) => {
      assert.ok(Math.abs(theilSenSlope(dated(list)) - naive(list)) < 1e-9);
    }),
    { numRuns: 500, seed: 8 },
  );
});

test('one bad day of many does not turn the slope', () => {
  const points = weeks(9).map((date, week) => ({ date, score: 20 + 2 * week }));
  const spoilt = points.map((point, at) => (at === 8 ? { ...point, score: 0 } : point));
  assert.is(theilSenSlope(points), 2);
  assert.ok(theilSenSlope(spoilt) > 1.5);
});

test('standard error of a weekly slope: residual deviation 10, as published for 3 to 12 probes', () => {
  const published: [number, number][] = [
    [3, 7.07],
    [4, 4.47],
    [6, 2.39],
    [8, 1.54],
    [12, 0.84],
  ];
  for (const [count, error] of published)
    assert.ok(Math.abs(slopeError(weeks(count), 10) - error) < 0.005, String(count));
});

test('residual deviation: around the line with n − 2 degrees of freedom', () => {
  const points = [10, 13, 12, 17].map((score, week) => ({ date: weeks(4)[week] ?? '', score }));
  // Around slope 2 the levels are 10, 11, 8, 11 with median 10.5: squares 0.25, 0.25, 6.25, 0.25.
  assert.ok(Math.abs(residualDeviation(points, 2) - Math.sqrt(7 / 2)) < 1e-12);
});

test('the decision week: 1.5 errors within the growth aimed at, or none in the window', () => {
  const input = { aimSlope: 0.504, certainErrors: 1.5, minPoints: 3, maxWeeks: 12 };
  // n weekly points: Σ(t − t̄)² = n(n² − 1)/12. Deviation 2 needs ≥ 35.4: 28 at 7 weeks, 42 at 8.
  assert.is(decisionWeek({ ...input, deviation: 2 }), 8);
  assert.is(decisionWeek({ ...input, deviation: 0 }), 3);
  assert.is(decisionWeek({ ...input, deviation: 5 }), null);
});

test.run();
