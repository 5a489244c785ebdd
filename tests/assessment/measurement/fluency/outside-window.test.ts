// Points with a monitoring role: comparable ones after the anchor and within the window; others are marked as outside.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cbmRules } from '#assessment/measurement/fluency/engine/cbm-rules.ts';
import { seriesTrend } from '#assessment/measurement/fluency/engine/trend.ts';
import { bundle } from '../sessions.ts';

const rules = cbmRules(bundle);
/** Baseline until 8 October, one more on the anchor's day, one 85 days and one 84 days before, one of today. */
const dates = ['2025-10-05', '2025-10-06', '2025-10-08', '2025-10-08', '2025-10-22', '2025-10-23', '2026-01-15'];
const probes = dates.map((date, at) => ({
  ...{ probeId: at + 1, date, score: 14 + at, passageId: `p${at}`, readingId: `r${at}` },
}));
const readings = probes.map(({ readingId, passageId, date }) => ({ readingId, passageId, date }));
const input = { yearFrom: '2025-08-01', asOf: '2026-01-15', benchmark: 32, probes, readings };

test('points outside the window have no monitoring role', () => {
  const { points, roles } = seriesTrend(input, rules);
  const expected = ['baseline', 'baseline', 'baseline', 'outside_window', 'outside_window', 'monitoring', 'monitoring'];
  assert.equal(
    points.map(({ role }) => role),
    expected,
  );
  assert.equal([...roles.values()], expected);
});

test('the goal is due on the first such day after the start of the school year', () => {
  assert.is(seriesTrend(input, rules).goal?.date, '2026-06-15');
  assert.is(seriesTrend({ ...input, yearFrom: '2025-03-01' }, rules).goal, null);
  assert.is(seriesTrend({ ...input, yearFrom: '2025-10-01' }, rules).goal?.date, '2026-06-15');
});

test.run();
