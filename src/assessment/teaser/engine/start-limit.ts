// How long an address waits for its next teaser.
import type { StartLimit } from './values.ts';

/**
 * Whole seconds until the oldest start leaves the sliding window; undefined when another start is free. A start leaves
 * exactly one window after it was made.
 */
export function secondsToWait(
  startedAtMs: readonly number[],
  nowMs: number,
  { maxStarts, windowMs }: StartLimit,
): number | undefined {
  const inWindow = startedAtMs.filter((startMs) => startMs > nowMs - windowMs);
  if (inWindow.length < maxStarts) return undefined;
  return Math.max(1, Math.ceil((Math.min(...inWindow) + windowMs - nowMs) / 1000));
}
