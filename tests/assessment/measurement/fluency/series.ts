// Series of probes for tests without a database: scores on dates, each reading with its own passage.
import { cbmRules } from '#assessment/measurement/fluency/engine/cbm-rules.ts';
import type { OrfProbe, Reading } from '#assessment/measurement/fluency/engine/series.ts';
import { type SeriesInput, seriesTrend } from '#assessment/measurement/fluency/engine/trend.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

export const bundle = await loadNewestBundle('rules');
export const rules = cbmRules(bundle);

export type Scored = readonly [date: string, score: number, passageId?: string];

/** Probe ids from 1 in the order given. */
export const probesOf = (scored: readonly Scored[]): OrfProbe[] =>
  scored.map(([date, score, passageId], at) => ({
    probeId: at + 1,
    date,
    score,
    passageId: passageId ?? `P${at + 1}`,
    readingId: `reading-${at + 1}`,
  }));

/** In order of date, then as given. */
export const readingsOf = (probes: readonly OrfProbe[]): Reading[] =>
  [...probes].sort((left, right) => left.date.localeCompare(right.date));

/** Grade 2, whose end-of-year benchmark is 32. */
export function trendOf(scored: readonly Scored[], asOf: string, overrides: Partial<SeriesInput> = {}) {
  const probes = probesOf(scored);
  const input = { yearFrom: '2025-08-01', asOf, benchmark: 32, probes, readings: readingsOf(probes), ...overrides };
  return seriesTrend(input, rules);
}

/** Baseline 14 on three days of October, anchored on the 8th. */
export const october: readonly Scored[] = [
  ['2025-10-05', 14],
  ['2025-10-06', 12],
  ['2025-10-08', 15],
];

export const weekly: readonly string[] = ['2025-10-22', '2025-10-29', '2025-11-05'];

/** The baseline and these scores on the weekly dates. */
export const watched = (...scores: readonly number[]): Scored[] => [
  ...october,
  ...scores.map((score, at): Scored => [weekly[at] ?? '', score]),
];
