// How often a provider is asked again, and how long is waited in between.

/** In all, the first included. */
export const mostTries = 5;
const firstPauseMs = 500;
/** Around the pause of its turn: of two pauses the later one is longer, whatever chance says. */
const jitter = 0.25;
const longestRetryAfterMs = 120_000;

/**
 * Milliseconds before the try after `tries` of them: 0.5 s, 1 s, 2 s, 4 s, each by up to a quarter longer or shorter.
 * Never below what the provider has asked for. `chance`: from 0 to below 1.
 */
export function pauseMs(tries: number, chance: number, askedMs = 0): number {
  const ownMs = firstPauseMs * 2 ** (tries - 1) * (1 - jitter + 2 * jitter * chance);
  return Math.max(Math.round(ownMs), askedMs);
}

/**
 * Milliseconds of a `Retry-After` header, in seconds or as a date, at most two minutes; undefined where it says neither.
 * A date is compared with the answer's own `Date`, else with `machineNow`: the provider's clock is not ours.
 */
export function retryAfterMs(
  header: string | undefined,
  date: string | undefined,
  machineNow: number,
): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : untilMs(text, date, machineNow);
  return ms === undefined ? undefined : Math.min(Math.max(ms, 0), longestRetryAfterMs);
}

function untilMs(text: string, date: string | undefined, machineNow: number): number | undefined {
  const at = Date.parse(text);
  if (!Number.isFinite(at) || /^[\d\s.+-]*$/.test(text)) return undefined;
  const saidNow = Date.parse(date ?? '');
  return at - (Number.isFinite(saidNow) ? saidNow : machineNow);
}
