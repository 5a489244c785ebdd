// Summarizes a warm-up from its events: running time, answers, end. Instants are milliseconds since the epoch by the
// server's clock; `atMs` is running time by the client's count.
import { type Interval, pausedMs } from '../../diagnostics/engine/active-time.ts';
import type { warmupEventTypes, warmupStatuses } from '../../enums.ts';

export type WarmupStatus = (typeof warmupStatuses)[number];

export interface WarmupEventRow {
  /** The client's number; null when the service resumed the session. */
  readonly seq: number | null;
  readonly type: (typeof warmupEventTypes)[number];
  readonly atMs: number | null;
  readonly itemId: string | null;
  readonly receivedMs: number;
}

export interface WarmupSummary {
  /** Number of different answered items, without skipped ones. */
  readonly answered: number;
  readonly runningMs: number;
  readonly lastAtMs: number;
}

/** Returns the running time. `events` are in receiving order; a pause lasts from its receipt to that of the resume. */
export function runningMs(events: readonly WarmupEventRow[], { fromMs, toMs }: Interval): number {
  const changes = events.flatMap(({ type, receivedMs }) =>
    type === 'pause' || type === 'resume' ? [{ type, servedItemId: null, atMs: receivedMs, durationMs: null }] : [],
  );
  return Math.max(0, toMs - fromMs - pausedMs(changes, { fromMs, toMs }));
}

export const answeredItems = (events: readonly WarmupEventRow[]): number =>
  new Set(events.filter(({ type }) => type === 'answer').map(({ itemId }) => itemId)).size;

export const warmupSummaryOf = (events: readonly WarmupEventRow[], shown: Interval): WarmupSummary => ({
  answered: answeredItems(events),
  runningMs: runningMs(events, shown),
  lastAtMs: Math.max(0, ...events.map(({ atMs }) => atMs ?? 0)),
});

/** Returns the final status of a warm-up that is closed now. */
export const endedAs = (summary: WarmupSummary, durationMs: number): 'COMPLETED' | 'ENDED_EARLY' =>
  summary.runningMs >= durationMs || summary.lastAtMs >= durationMs ? 'COMPLETED' : 'ENDED_EARLY';

/** Returns the status of an open session after `events` in receiving order. */
export function openStatus(
  events: readonly Pick<WarmupEventRow, 'type'>[],
  start: 'RUNNING' | 'PAUSED' = 'RUNNING',
): 'RUNNING' | 'PAUSED' {
  const last = events.findLast(({ type }) => type === 'pause' || type === 'resume');
  if (!last) return start;
  return last.type === 'pause' ? 'PAUSED' : 'RUNNING';
}
