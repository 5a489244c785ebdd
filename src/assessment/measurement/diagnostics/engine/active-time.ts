// How long a child really worked on an item: pauses and replays of the audio are not working time, and a client that
// reports more than the server saw is not believed.
import type { EventRow } from './state.ts';

export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Shown extends Interval {
  readonly servedItemId: string;
}

/**
 * max(0, min(reported latency, received − served − the union of pauses and audio replays)), whole milliseconds. `events` are
 * those of the session in the order in which they were recorded.
 */
export const countedLatencyMs = (reportedMs: number, shown: Shown, events: readonly EventRow[]): number =>
  latencyWithout([...pauses(events), ...replays(events, shown)], reportedMs, shown);

/** The same with pauses alone: who listens to the end and then knows the answer has not guessed. */
export const heardLatencyMs = (reportedMs: number, shown: Shown, events: readonly EventRow[]): number =>
  latencyWithout(pauses(events), reportedMs, shown);

const latencyWithout = (away: readonly Interval[], reportedMs: number, shown: Interval): number =>
  Math.max(0, Math.min(reportedMs, Math.round(shown.toMs - shown.fromMs - unionMs(away, shown))));

/** Time within the interval during which the session was paused; a pause that is not resumed lasts to its end. */
export const pausedMs = (events: readonly EventRow[], shown: Interval): number => unionMs(pauses(events), shown);

/** How much of `within` the intervals cover; what several of them cover counts once. */
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

/** Pause intervals in order; the last may be open, then it ends at infinity. */
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

/** Of this item, or of none. */
const replays = (events: readonly EventRow[], shown: Shown): Interval[] =>
  events
    .filter(({ type, servedItemId }) => type === 'audio_replay' && [null, shown.servedItemId].includes(servedItemId))
    .map(({ atMs, durationMs }) => ({ fromMs: atMs, toMs: atMs + (durationMs ?? 0) }));
