// A series on a day: baseline, goal, aim line, and the trend of `cbm/trend`.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { analyseTable } from '#rules/rulesets/engine/analysis/analyse.ts';
import { loadRules } from '#rules/rulesets/files.ts';
import { bundle, october, probesOf, type Scored, trendOf, watched, weekly } from './series.ts';

const asOf = '2025-11-05';

test('worked example: baseline 14, goal 32 on 15 June, aim slope 0.504 and aims 15.008, 15.512, 16.016', () => {
  const trend = trendOf(watched(17, 18, 20), asOf);
  assert.equal(trend.baseline, { score: 14, anchorDate: '2025-10-08', probeIds: [1, 2, 3] });
  assert.equal(trend.goal, { score: 32, date: '2026-06-15' });
  assert.is(trend.aimSlope, 0.504);
  assert.equal(
    trend.points.slice(3).map(({ date, score, aim, role }) => [date, score, aim, role]),
    [
      ['2025-10-22', 17, 15.008, 'monitoring'],
      ['2025-10-29', 18, 15.512, 'monitoring'],
      ['2025-11-05', 20, 16.016, 'monitoring'],
    ],
  );
  assert.is(trend.ruleVersion, 'cbm/trend@2');
});

const worked: [readonly number[], number | null, string, string][] = [
  [[17, 18, 20], 1.5, 'trend_above_goal', 'CBM-02'],
  [[13, 13, 12], -0.5, 'trend_below_goal', 'CBM-03'],
  [[17, 13, 19], 1, 'trend_mixed', 'CBM-04'],
  [[16, 17], null, 'insufficient_points', 'CBM-01'],
];
for (const [scores, slope, trendType, ruleId] of worked) {
  test(`${ruleId}: ${scores.join(', ')} → slope ${slope}, ${trendType}`, () => {
    const trend = trendOf(watched(...scores), asOf);
    assert.equal([trend.slope, trend.trendType, trend.ruleId], [slope, trendType, ruleId]);
  });
}

test('CBM-04: all below the line but catching up is mixed; all above but falling behind too', () => {
  assert.is(trendOf(watched(10, 12, 15), asOf).trendType, 'trend_mixed');
  assert.is(trendOf(watched(30, 29, 28), asOf).trendType, 'trend_mixed');
});

test('CBM-02: a point on the line and a slope equal to the line’s are enough', () => {
  const onTheLine = [15.008, 15.512, 16.016];
  const trend = trendOf(watched(...onTheLine), asOf);
  assert.is(trend.slope, 0.504);
  assert.is(trend.trendType, 'trend_above_goal');
});

test('fewer than three comparable probes: no baseline, no goal, no aim', () => {
  const trend = trendOf(october.slice(0, 2), asOf);
  assert.equal([trend.baseline, trend.goal, trend.aimSlope, trend.slope], [null, null, null, null]);
  assert.is(trend.trendType, 'insufficient_points');
  assert.equal(
    trend.points.map(({ aim }) => aim),
    [null, null],
  );
});

test('three baseline probes of one day stay separate', () => {
  const trend = trendOf(
    [
      ['2025-10-05', 14],
      ['2025-10-05', 12],
      ['2025-10-05', 15],
    ],
    asOf,
  );
  assert.equal(trend.baseline, { score: 14, anchorDate: '2025-10-05', probeIds: [1, 2, 3] });
  assert.is(trend.points.length, 3);
});

test('a probe entered late for an earlier day becomes part of the baseline', () => {
  const trend = trendOf([...october, ['2025-10-01', 9]], asOf);
  assert.equal(trend.baseline, { score: 12, anchorDate: '2025-10-06', probeIds: [4, 1, 2] });
  assert.is(trend.roles.get(3), 'monitoring');
});

test('several monitoring probes of a date are one point, their median', () => {
  const trend = trendOf([...watched(17, 18, 20), [asOf, 30], [asOf, 22], ['2025-10-29', 25]], asOf);
  const monitoring = trend.points.filter(({ role }) => role === 'monitoring');
  assert.equal(
    monitoring.map(({ date, score, probeIds }) => [date, score, probeIds]),
    [
      ['2025-10-22', 17, [4]],
      ['2025-10-29', 21.5, [5, 9]],
      [asOf, 22, [6, 7, 8]],
    ],
  );
});

test('comparable: a passage read 28 days before or less is remembered, one of 29 days is not', () => {
  const read = (earlier: string): Scored[] => [...october, [earlier, 15, 'again'], ['2025-11-26', 20, 'again']];
  assert.is(trendOf(read('2025-10-29'), '2025-12-01').roles.get(5), 'not_comparable');
  assert.is(trendOf(read('2025-10-28'), '2025-12-01').roles.get(5), 'monitoring');
});

test('comparable: the second reading of a passage on one day is not, the first is', () => {
  const trend = trendOf([...october, [asOf, 15, 'again'], [asOf, 20, 'again']], asOf);
  assert.equal([trend.roles.get(4), trend.roles.get(5)], ['monitoring', 'not_comparable']);
});

test('comparable: a reading that is no probe spoils the passage too', () => {
  const probes = probesOf(watched(17, 18, 20));
  const other = { readingId: 'other', passageId: 'P6', date: '2025-11-01' };
  const readings = [...probes.slice(0, 5), other, ...probes.slice(5)];
  const trend = trendOf([], asOf, { probes, readings });
  assert.is(trend.roles.get(6), 'not_comparable');
  assert.is(trend.trendType, 'insufficient_points');
});

test('probes that are not comparable are never baseline', () => {
  const trend = trendOf([['2025-10-05', 14, 'A'], ['2025-10-06', 90, 'A'], ...october.slice(1)], asOf);
  assert.is(trend.roles.get(2), 'not_comparable');
  assert.equal(trend.baseline?.probeIds, [1, 3, 4]);
});

test('the window: a point of 84 days ago counts, one of 85 does not', () => {
  const dayAfter = (days: number) => new Date(Date.parse('2025-10-22') + days * 86_400_000).toISOString().slice(0, 10);
  assert.is(trendOf(watched(17, 18, 20), dayAfter(84)).trendType, 'trend_above_goal');
  assert.is(trendOf(watched(17, 18, 20), dayAfter(85)).trendType, 'insufficient_points');
});

test('monitoring starts after the anchor: a fourth probe of its day does not count', () => {
  const trend = trendOf([...october, ['2025-10-08', 40], ...weekly.slice(1).map((date): Scored => [date, 18])], asOf);
  assert.is(trend.trendType, 'insufficient_points');
});

test('later probes are ignored', () => {
  assert.equal(trendOf(watched(17, 18, 20), '2025-10-29'), trendOf(watched(17, 18), '2025-10-29'));
});

test('goal: half a word per week for students near the benchmark, or where nothing is expected', () => {
  // 250 days from the anchor: 35.7143 weeks.
  const strong: Scored[] = [
    ['2025-10-05', 31],
    ['2025-10-06', 31],
    ['2025-10-08', 31],
  ];
  assert.is(trendOf(strong, asOf).goal?.score, 48.8571);
  assert.is(trendOf(strong, asOf).aimSlope, 0.5);
  assert.is(trendOf(october, asOf, { benchmark: null }).goal?.score, 31.8571);
});

test('no aim line when the anchor is on the day of the goal; the day before there is one', () => {
  const baseline = (day: number): Scored[] => [0, 1, 2].map((): Scored => [`2026-06-${day}`, 14]);
  const late = trendOf(baseline(15), '2026-06-20');
  assert.equal([late.goal, late.aimSlope, late.baseline?.score], [null, null, 14]);
  assert.ok(trendOf(baseline(14), '2026-06-20').goal);
});

test('signals: below goal, flat, and an acute drop against the median of the three points before', () => {
  assert.equal(trendOf(watched(13, 13, 12), asOf).signals, ['cbm_below_goal', 'cbm_flat']);
  assert.equal(trendOf(watched(17, 17, 17), asOf).signals, ['cbm_flat']);
  assert.equal(trendOf(watched(17, 18, 20), asOf).signals, []);
  assert.equal(trendOf(watched(9.8), asOf).signals, ['cbm_acute_drop']);
  assert.equal(trendOf(watched(9.9), asOf).signals, []);
  assert.equal(trendOf(october.slice(0, 2).concat([['2025-10-08', 1]]), asOf).signals, [], 'only three points');
});

test('certainty: error of the slope and decision week of the worked example', () => {
  // Slope 1.5: levels 17, 16.5, 17 around the median 17, so s² = 0.25 and Σ(t − t̄)² = 2.
  const trend = trendOf(watched(17, 18, 20), asOf);
  assert.is(trend.slopeError, 0.3536);
  // 1.5 × 0.5 / 0.504 = 1.488, squared 2.21: 2 at 3 weeks, 5 at 4.
  assert.is(trend.decisionWeek, 4);
});

test('always: the trend is the first of the four that holds, computed independently', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 0, maxLength: 3 });
  fc.assert(
    fc.property(scores, (list) => {
      const trend = trendOf(watched(...list), asOf);
      assert.is(trend.trendType, byHand(list));
    }),
    { numRuns: 400, seed: 8 },
  );
});

/** On the three dates of the example. */
function byHand(list: readonly number[]): string {
  const [a = 0, b = 0, c = 0] = list;
  if (list.length < 3) return 'insufficient_points';
  const slope = [b - a, (c - a) / 2, c - b].sort((x, y) => x - y)[1] ?? 0;
  const isAbove = [a >= 15.008, b >= 15.512, c >= 16.016];
  if (isAbove.every(Boolean) && slope >= 0.504) return 'trend_above_goal';
  return !isAbove.some(Boolean) && slope < 0.504 ? 'trend_below_goal' : 'trend_mixed';
}

test('cbm/trend@2 is complete, monotone and pinned down by its cases', async () => {
  const rule = (await loadRules('rules')).find(({ id }) => id === 'cbm/trend@2');
  const { findings, mutation } = analyseTable(bundle.table('cbm/trend'), rule?.cases ?? []);
  assert.equal(
    findings.filter(({ level }) => level === 'error'),
    [],
  );
  assert.ok(mutation.score >= 0.95, String(mutation.score));
});

test.run();
