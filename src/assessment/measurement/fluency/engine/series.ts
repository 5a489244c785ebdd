// A series: the probes of one student with one form family in a school year, each with its role.
import { daysBetween } from '#core/platform/pure/dates/days.ts';
import { median } from './slope.ts';

export interface OrfProbe {
  readonly probeId: number;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly passageId: string;
  /** Correct words a minute. */
  readonly score: number;
  /** The reading to which the score belongs. */
  readonly readingId: string;
}

/** A passage that the student read aloud, with or without a probe. */
export interface Reading {
  readonly readingId: string;
  readonly passageId: string;
  readonly date: string;
}

export const probeRoles = ['baseline', 'monitoring', 'outside_window', 'not_comparable'] as const;
export type ProbeRole = (typeof probeRoles)[number];

export interface RatedProbe extends OrfProbe {
  readonly role: ProbeRole;
}

export interface SeriesRules {
  readonly baselineProbes: number;
  readonly rereadDays: number;
}

/**
 * Returns the probes with their roles, by date, then id. A probe is comparable when its passage was not read in the
 * `rereadDays` before it, nor earlier on its day; `readings` are in chronological order. The first comparable ones form
 * the baseline.
 */
export function rateProbes(
  probes: readonly OrfProbe[],
  readings: readonly Reading[],
  rules: SeriesRules,
): RatedProbe[] {
  let comparable = 0;
  return [...probes].sort(byDate).map((probe) => {
    if (wasRemembered(probe, readings, rules.rereadDays)) return { ...probe, role: 'not_comparable' };
    comparable += 1;
    return { ...probe, role: comparable <= rules.baselineProbes ? 'baseline' : 'monitoring' };
  });
}

const byDate = (left: OrfProbe, right: OrfProbe): number =>
  daysBetween(right.date, left.date) || left.probeId - right.probeId;

function wasRemembered(
  { readingId, passageId, date }: OrfProbe,
  readings: readonly Reading[],
  rereadDays: number,
): boolean {
  const index = readings.findIndex((reading) => reading.readingId === readingId);
  if (index < 0) throw new RangeError(`reading ${readingId} is not among the readings`);
  return readings.slice(0, index).some((earlier) => {
    return earlier.passageId === passageId && daysBetween(earlier.date, date) <= rereadDays;
  });
}

export interface SeriesPoint {
  readonly probeIds: readonly number[];
  readonly date: string;
  readonly score: number;
  readonly role: ProbeRole;
}

/**
 * Returns the points: monitoring probes of one date form one point, their median; every other probe is a point of its
 * own.
 */
export function seriesPointsOf(rated: readonly RatedProbe[]): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  const seen = new Set<string>();
  for (const { probeId, date, score, role } of rated) {
    if (role !== 'monitoring') points.push({ probeIds: [probeId], date, score, role });
    else if (!seen.has(date)) points.push(monitoringPoint(rated, date));
    if (role === 'monitoring') seen.add(date);
  }
  return points;
}

function monitoringPoint(rated: readonly RatedProbe[], date: string): SeriesPoint {
  const together = rated.filter((probe) => probe.role === 'monitoring' && probe.date === date);
  return {
    probeIds: together.map(({ probeId }) => probeId),
    date,
    score: median(together.map(({ score }) => score)),
    role: 'monitoring',
  };
}
