// Computes how long an address must wait for its next teaser.
import type { StartLimit } from './values.ts';

/**
 * Returns whole seconds until the oldest start leaves the sliding window, which is exactly one window after it was
 * made; undefined when another start is allowed.
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
