// How often a request is attempted, and the delay between two attempts.

/** The first attempt is included. */
export const maxAttempts = 5;
const firstDelayMs = 500;
/** Share by which a delay varies. A later delay is always longer than an earlier one. */
const jitter = 0.25;
const maxRetryAfterMs = 120_000;

/**
 * Returns the milliseconds to wait after `attempts` attempts: 0.5 s, 1 s, 2 s, 4 s, each up to a quarter longer or shorter,
 * and never less than `retryAfterMs`, which the provider has sent. `random`: from 0 to below 1.
 */
export function retryDelayMs(attempts: number, random: number, retryAfterMs = 0): number {
  const ownMs = firstDelayMs * 2 ** (attempts - 1) * (1 - jitter + 2 * jitter * random);
  return Math.max(Math.round(ownMs), retryAfterMs);
}

/**
 * Returns the milliseconds of a `Retry-After` header (seconds or a date), two minutes at most, or undefined when it holds
 * neither. A date is compared with the `Date` header of the same response, because the clocks of both sides may differ, and
 * with `machineNow` when there is none.
 */
export function parseRetryAfter(
  header: string | undefined,
  date: string | undefined,
  machineNow: number,
): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : msUntil(text, date, machineNow);
  return ms === undefined ? undefined : Math.min(Math.max(ms, 0), maxRetryAfterMs);
}

function msUntil(text: string, date: string | undefined, machineNow: number): number | undefined {
  const at = Date.parse(text);
  if (!Number.isFinite(at) || /^[\d\s.+-]*$/.test(text)) return undefined;
  const sentAt = Date.parse(date ?? '');
  return at - (Number.isFinite(sentAt) ? sentAt : machineNow);
}
