// Growth in words per week. Theil-Sen instead of least squares, because series have 3 to 12 noisy points, and one
// outlier cannot turn a median of slopes (Theil 1950, Sen 1968).
import { daysBetween } from '#core/platform/pure/dates/days.ts';

export interface DatedScore {
  readonly date: string;
  readonly score: number;
}

/** Returns the fractional number of weeks between calendar dates. */
export const weeksBetween = (from: string, to: string): number => daysBetween(from, to) / 7;

/** Returns the median; for an even count the mean of the middle two. Throws RangeError on an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('nothing has no median');
  return (lower + upper) / 2;
}

/** Returns the median of all pairwise slopes per week. Dates must differ. */
export function theilSenSlope(points: readonly DatedScore[]): number {
  const slopes = points.flatMap((left, at) =>
    points.slice(at + 1).map((right) => (right.score - left.score) / weeksBetween(left.date, right.date)),
  );
  return median(slopes);
}

/**
 * Returns the standard deviation of the scores around the line with this slope and the median intercept, with n − 2
 * degrees of freedom.
 */
export function residualDeviation(points: readonly DatedScore[], slope: number): number {
  const [first] = points;
  if (!first || points.length < 3) throw new RangeError('a line through two points has no residuals');
  const detrended = points.map(({ date, score }) => score - slope * weeksBetween(first.date, date));
  const level = median(detrended);
  const squares = detrended.reduce((sum, value) => sum + (value - level) ** 2, 0);
  return Math.sqrt(squares / (points.length - 2));
}

/** Returns the standard error of a slope per week for this deviation and these dates. */
export function slopeError(dates: readonly string[], deviation: number): number {
  const [first = ''] = dates;
  return errorAtWeeks(
    dates.map((date) => weeksBetween(first, date)),
    deviation,
  );
}

/** Returns the classical standard error deviation / √Σ(t − t̄)². The deviation is robust; the dates are fixed. */
function errorAtWeeks(weeks: readonly number[], deviation: number): number {
  const mean = weeks.reduce((sum, week) => sum + week, 0) / weeks.length;
  return deviation / Math.sqrt(weeks.reduce((sum, week) => sum + (week - mean) ** 2, 0));
}

export interface CertaintyInput {
  readonly deviation: number;
  /** The slope to be distinguished from no growth. */
  readonly aimSlope: number;
  /** Required number of standard errors. */
  readonly certainErrors: number;
  readonly minPoints: number;
  readonly maxWeeks: number;
}

/**
 * Returns the first week after the anchor in which weekly probes with this deviation distinguish growth along the aim
 * line from none; null when no week of the window suffices, so that more probes per week are needed.
 */
export function decisionWeek({
  deviation,
  aimSlope,
  certainErrors,
  minPoints,
  maxWeeks,
}: CertaintyInput): number | null {
  for (let week = minPoints; week <= maxWeeks; week++) {
    const weekly = Array.from({ length: week }, (_, at) => at + 1);
    if (certainErrors * errorAtWeeks(weekly, deviation) <= aimSlope) return week;
  }
  return null;
}
