// How long a child really worked on an item: pauses and replays of the audio are not working time, and a client that
// reports more than the server saw is not believed.
import type { EventRow } from './state.ts';

export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * max(0, min(reported latency, received − served − pauses − audio replays)), whole milliseconds. `events` are those of
 * the session in the order in which they were recorded.
 */
export function countedLatencyMs(
  reportedMs: number,
  shown: Interval & { readonly servedItemId: string },
  events: readonly EventRow[],
): number {
  const seenMs = shown.toMs - shown.fromMs - pausedMs(events, shown) - replayMs(events, shown);
  return Math.max(0, Math.min(reportedMs, Math.round(seenMs)));
}

/** Time within the interval during which the session was paused; a pause that is not resumed lasts to its end. */
export function pausedMs(events: readonly EventRow[], shown: Interval): number {
  return pauses(events)
    .map(({ fromMs, toMs }) => Math.min(toMs, shown.toMs) - Math.max(fromMs, shown.fromMs))
    .reduce((sum, overlapMs) => sum + Math.max(0, overlapMs), 0);
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

function replayMs(events: readonly EventRow[], shown: Interval & { readonly servedItemId: string }): number {
  return events
    .filter(({ type, servedItemId, atMs }) => {
      const ofThisItem = servedItemId === null || servedItemId === shown.servedItemId;
      return type === 'audio_replay' && ofThisItem && atMs >= shown.fromMs && atMs <= shown.toMs;
    })
    .reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
}
