// The baseline of a student, the goal of the year, and the aim line between them.
import type { RatedProbe } from './series.ts';
import { median, weeksBetween } from './slope.ts';

export interface Baseline {
  readonly score: number;
  /** Date of the last baseline probe. */
  readonly anchorDate: string;
  readonly probeIds: readonly number[];
}

export interface AimLine {
  readonly baseline: Baseline;
  readonly goal: { readonly score: number; readonly date: string };
  /** Correct words a minute, per week. */
  readonly slope: number;
}

export interface GoalRules {
  readonly baselineProbes: number;
  readonly expectedGrowth: number;
  /** `MM-DD` */
  readonly goalDay: string;
}

/** Returns the median of the first comparable probes; null before there are enough. */
export function baselineOf(rated: readonly RatedProbe[], { baselineProbes }: GoalRules): Baseline | null {
  const probes = rated.filter(({ role }) => role === 'baseline');
  const last = probes.at(-1);
  if (!last || probes.length < baselineProbes) return null;
  return {
    score: median(probes.map(({ score }) => score)),
    anchorDate: last.date,
    probeIds: probes.map(({ probeId }) => probeId),
  };
}

/**
 * Returns the aim line. The goal is the larger of the end-of-year benchmark and the generally expected growth. Null
 * when the goal's date is not after the anchor. `benchmark` is null when nothing is expected.
 */
export function aimLineOf(
  baseline: Baseline,
  yearFrom: string,
  benchmark: number | null,
  rules: GoalRules,
): AimLine | null {
  const date = firstOnOrAfter(yearFrom, rules.goalDay);
  const weeks = weeksBetween(baseline.anchorDate, date);
  if (weeks <= 0) return null;
  const grown = baseline.score + rules.expectedGrowth * weeks;
  const score = benchmark === null ? grown : Math.max(benchmark, grown);
  return { baseline, goal: { score, date }, slope: (score - baseline.score) / weeks };
}

/** Returns the first date with this `MM-DD` that is not before `date`. */
function firstOnOrAfter(date: string, day: string): string {
  const year = Number(date.slice(0, 4));
  return day >= date.slice(5) ? `${year}-${day}` : `${year + 1}-${day}`;
}

/** Returns the aim on a date; the line is undefined before the anchor. */
export const aimAt = ({ baseline, slope }: AimLine, date: string): number =>
  baseline.score + slope * weeksBetween(baseline.anchorDate, date);
