// The taught time of each segment, derived from events. The n-th start signal starts the n-th segment. All times are the
// server's.

export interface SegmentSignal {
  /** Milliseconds since the epoch, ascending. */
  readonly atMs: number;
  readonly is: 'segment_started' | 'segment_finished' | 'paused' | 'resumed';
}

export interface TaughtTime {
  readonly segmentNo: number;
  readonly taughtMs: number;
}

/**
 * Returns the time of each started segment. A start closes the running segment; a finish without a running segment is ignored;
 * pauses do not count; a segment that runs at `endMs` ends there. Starts beyond the last segment count for the last. Without
 * segments there is one with number 1.
 */
export function taughtTimes(signals: readonly SegmentSignal[], segmentCount: number, endMs: number): TaughtTime[] {
  const taught = new Map<number, number>();
  let open: number | null = null;
  let paused = false;
  let fromMs = 0;
  let started = 0;
  for (const { atMs, is } of [...signals, { atMs: endMs, is: 'segment_finished' } as const]) {
    if (open !== null && !paused) taught.set(open, (taught.get(open) ?? 0) + Math.max(0, atMs - fromMs));
    fromMs = atMs;
    if (is === 'paused' || is === 'resumed') paused = is === 'paused';
    if (is === 'segment_finished') open = null;
    if (is === 'segment_started') {
      started = Math.min(started + 1, Math.max(1, segmentCount));
      open = started;
      if (!taught.has(open)) taught.set(open, 0);
    }
  }
  return [...taught].map(([segmentNo, taughtMs]) => ({ segmentNo, taughtMs }));
}
