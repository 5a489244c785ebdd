// Computes the active time on an item: pauses and audio replays are subtracted, and a reported latency is limited to
// the time that the server observed.
import type { EventRow } from './state.ts';

export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Shown extends Interval {
  readonly servedItemId: string;
}

/**
 * Returns max(0, min(reported latency, received − served − the union of pauses and audio replays)) in whole
 * milliseconds. `events` are those of the session in recording order.
 */
export const countedLatencyMs = (reportedMs: number, shown: Shown, events: readonly EventRow[]): number =>
  latencyWithout([...pauses(events), ...replays(events, shown)], reportedMs, shown);

/**
 * Returns the latency without pauses but including audio replays: a child who listens to the end and then answers at
 * once has not guessed.
 */
export const heardLatencyMs = (reportedMs: number, shown: Shown, events: readonly EventRow[]): number =>
  latencyWithout(pauses(events), reportedMs, shown);

const latencyWithout = (away: readonly Interval[], reportedMs: number, shown: Interval): number =>
  Math.max(0, Math.min(reportedMs, Math.round(shown.toMs - shown.fromMs - unionMs(away, shown))));

/** Returns the paused time within the interval; a pause without resume lasts to its end. */
export const pausedMs = (events: readonly EventRow[], shown: Interval): number => unionMs(pauses(events), shown);

/** Returns how much of `within` the union of the intervals covers. */
function unionMs(intervals: readonly Interval[], within: Interval): number {
  let coveredMs = 0;
  let reachedMs = within.fromMs;
  for (const { fromMs, toMs } of intervals.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const endMs = Math.min(toMs, within.toMs);
    coveredMs += Math.max(0, endMs - Math.max(fromMs, reachedMs));
    reachedMs = Math.max(reachedMs, endMs);
  }
  return coveredMs;
}

/** Returns the pause intervals in order; an open pause ends at infinity. */
export function pauses(events: readonly EventRow[]): Interval[] {
  const found: Interval[] = [];
  let pausedAtMs: number | undefined;
  for (const { type, atMs } of events) {
    if (type === 'pause') pausedAtMs ??= atMs;
    if (type === 'resume' && pausedAtMs !== undefined) {
      found.push({ fromMs: pausedAtMs, toMs: Math.max(pausedAtMs, atMs) });
      pausedAtMs = undefined;
    }
  }
  return pausedAtMs === undefined ? found : [...found, { fromMs: pausedAtMs, toMs: Number.POSITIVE_INFINITY }];
}

/** Returns the replays of this item and those without an item. */
const replays = (events: readonly EventRow[], shown: Shown): Interval[] =>
  events
    .filter(({ type, servedItemId }) => type === 'audio_replay' && [null, shown.servedItemId].includes(servedItemId))
    .map(({ atMs, durationMs }) => ({ fromMs: atMs, toMs: atMs + (durationMs ?? 0) }));
