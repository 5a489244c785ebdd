// Raw signals of a series. They are opened and closed here; other code decides on the consequences.
import { round4 } from '#core/platform/pure/round.ts';
import type { CbmValues, TrendType } from './cbm-rules.ts';
import type { SeriesPoint } from './series.ts';
import { median } from './slope.ts';

export const signals = ['cbm_below_goal', 'cbm_flat', 'cbm_acute_drop'] as const;
export type Signal = (typeof signals)[number];

export interface SignalFacts {
  readonly trendType: TrendType;
  /** Null before there are enough points. */
  readonly slope: number | null;
  /** In order of date. */
  readonly points: readonly SeriesPoint[];
}

/** Returns the signals whose condition holds, in the order of `signals`. */
export function firingSignals(facts: SignalFacts, values: CbmValues): Signal[] {
  const fires: Readonly<Record<Signal, boolean>> = {
    cbm_below_goal: facts.trendType === 'trend_below_goal',
    cbm_flat: facts.slope !== null && facts.slope <= values.flatSlope,
    cbm_acute_drop: hasDropped(facts.points, values),
  };
  return signals.filter((signal) => fires[signal]);
}

/** Compares the last comparable point with the median of those before it. */
function hasDropped(points: readonly SeriesPoint[], { dropShare, pointsBeforeDrop }: CbmValues): boolean {
  const scores = points.filter(({ role }) => role !== 'not_comparable').map(({ score }) => score);
  const last = scores.at(-1);
  const before = scores.slice(-pointsBeforeDrop - 1, -1);
  if (last === undefined || before.length < pointsBeforeDrop) return false;
  return round4(last) <= round4(dropShare * median(before));
}
