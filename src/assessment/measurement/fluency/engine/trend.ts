// Evaluates a series on a day: baseline, goal, aim line, growth, and the trend.

import { daysBefore } from '#core/platform/pure/dates/days.ts';
import { round4 } from '#core/platform/pure/round.ts';
import { type AimLine, aimAt, aimLineOf, type Baseline, baselineOf } from './aim-line.ts';
import type { CbmRules, CbmValues, TrendType } from './cbm-rules.ts';
import {
  type OrfProbe,
  type ProbeRole,
  type RatedProbe,
  type Reading,
  rateProbes,
  type SeriesPoint,
  seriesPointsOf,
} from './series.ts';
import { firingSignals, type Signal } from './signals.ts';
import { decisionWeek, residualDeviation, slopeError, theilSenSlope } from './slope.ts';

export interface SeriesInput {
  /** First day of the school year, `YYYY-MM-DD`. */
  readonly yearFrom: string;
  /** `YYYY-MM-DD`; later probes and readings are ignored. */
  readonly asOf: string;
  /** End-of-year cut `meets` of the grade; null when nothing is expected. */
  readonly benchmark: number | null;
  readonly probes: readonly OrfProbe[];
  /** In the order in which they happened. */
  readonly readings: readonly Reading[];
}

export interface TrendPoint extends SeriesPoint {
  /** Null without an aim line and before its start. */
  readonly aim: number | null;
}

/** Numbers have 4 decimals. */
export interface SeriesTrend {
  readonly baseline: Baseline | null;
  readonly goal: { readonly score: number; readonly date: string } | null;
  readonly aimSlope: number | null;
  readonly slope: number | null;
  readonly trendType: TrendType;
  readonly ruleId: string;
  readonly ruleVersion: string;
  /** In order of date. */
  readonly points: readonly TrendPoint[];
  readonly roles: ReadonlyMap<number, ProbeRole>;
  /** Raw signals whose condition holds. */
  readonly signals: readonly Signal[];
  /** Standard error of the slope. */
  readonly slopeError: number | null;
  /** Week after the anchor from which weekly probes distinguish growth along the aim line from none. */
  readonly decisionWeek: number | null;
}

export function seriesTrend(input: SeriesInput, rules: CbmRules): SeriesTrend {
  const { values } = rules;
  const known = input.probes.filter(({ date }) => date <= input.asOf);
  const rated = rateProbes(known, input.readings, values);
  const baseline = baselineOf(rated, values);
  const line = baseline && aimLineOf(baseline, input.yearFrom, input.benchmark, values);
  const points = seriesPointsOf(rated);
  const monitored = baseline ? watchedPoints(points, baseline, input.asOf, values) : [];
  const watched = line ? monitored : [];
  const growth = growthOf(watched, line, values);
  const decision = rules.decideTrend(trendFacts(watched, line, growth.slope, values));
  return {
    baseline: baseline && { ...baseline, score: round4(baseline.score) },
    goal: line && { ...line.goal, score: round4(line.goal.score) },
    aimSlope: line && round4(line.slope),
    ...growth,
    ...decision,
    ruleVersion: rules.ruleVersion,
    points: points.map((point) => withAim(withMonitoringRole(point, monitored), line)),
    roles: rolesOf(rated, monitored),
    signals: firingSignals({ trendType: decision.trendType, slope: growth.slope, points }, values),
  };
}

/** A comparable point on the anchor's day or before the window has no monitoring role. */
function withMonitoringRole<Point extends { readonly role: ProbeRole; readonly date: string }>(
  point: Point,
  monitored: readonly SeriesPoint[],
): Point {
  const isOutside = point.role === 'monitoring' && !monitored.some(({ date }) => date === point.date);
  return isOutside ? { ...point, role: 'outside_window' } : point;
}

const rolesOf = (rated: readonly RatedProbe[], monitored: readonly SeriesPoint[]) =>
  new Map(rated.map((probe) => [probe.probeId, withMonitoringRole(probe, monitored).role]));

/** Returns the points from which growth is computed: after the anchor and within the window. */
export function watchedPoints(
  points: readonly SeriesPoint[],
  { anchorDate }: Pick<Baseline, 'anchorDate'>,
  asOf: string,
  { windowDays }: Pick<CbmValues, 'windowDays'>,
): SeriesPoint[] {
  const opens = daysBefore(asOf, windowDays);
  return points.filter(({ role, date }) => role === 'monitoring' && date > anchorDate && date >= opens);
}

function growthOf(watched: readonly SeriesPoint[], line: AimLine | null, values: CbmValues) {
  if (!line || watched.length < values.minPoints) return { slope: null, slopeError: null, decisionWeek: null };
  const slope = theilSenSlope(watched);
  const deviation = residualDeviation(watched, slope);
  const dates = watched.map(({ date }) => date);
  const maxWeeks = Math.floor(values.windowDays / 7);
  return {
    slope: round4(slope),
    slopeError: round4(slopeError(dates, deviation)),
    decisionWeek: decisionWeek({ ...values, deviation, aimSlope: line.slope, maxWeeks }),
  };
}

function trendFacts(watched: readonly SeriesPoint[], line: AimLine | null, slope: number | null, values: CbmValues) {
  return {
    monitoringPoints: watched.length,
    aimLine: line !== null,
    lastBelow: watched.slice(-values.lastPoints).filter((point) => line !== null && isBelow(point, line)).length,
    slopeGap: line === null || slope === null ? 0 : round4(slope - round4(line.slope)),
  };
}

const isBelow = ({ score, date }: SeriesPoint, line: AimLine): boolean => round4(score) < round4(aimAt(line, date));

function withAim(point: SeriesPoint, line: AimLine | null): TrendPoint {
  const started = line !== null && point.date >= line.baseline.anchorDate;
  return { ...point, score: round4(point.score), aim: started ? round4(aimAt(line, point.date)) : null };
}
