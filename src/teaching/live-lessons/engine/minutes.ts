// How long each segment of a live session was taught, from what its events say. The first start is that of the first segment,
// each further one that of the next; all times are the server's.

export interface SegmentSignal {
  /** Milliseconds since the epoch, in rising order. */
  readonly atMs: number;
  readonly is: 'segment_started' | 'segment_finished' | 'paused' | 'resumed';
}

export interface TaughtTime {
  readonly segmentNo: number;
  readonly taughtMs: number;
}

/**
 * One for each segment that was started. A start while a segment runs closes that one; a finish without a start, and a second
 * one, close nothing; a pause does not count; what still runs at `endMs` ends there. Starts after the last segment belong to
 * the last. Without segments there is one, number 1.
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
