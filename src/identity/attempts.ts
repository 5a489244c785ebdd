// Guessing is slow: after some failures within a time the guesser waits. The windows run on business time, and the
// subjects are kept as keyed hashes, so that unknown e-mail addresses behave like known ones and nothing personal stays.
import { type Db, inContext, type Trx } from '../platform/db.ts';
import { AppError, type ErrorCode } from '../platform/errors.ts';

const minuteMs = 60_000;

export interface AttemptRule {
  readonly kind: 'login_email' | 'login_address' | 'quick_code_address';
  readonly maxFailures: number;
  readonly refusal: ErrorCode;
}

export const loginByEmail: AttemptRule = { kind: 'login_email', maxFailures: 5, refusal: 'BRUTE_FORCE_LOCKED' };
export const loginByAddress: AttemptRule = { kind: 'login_address', maxFailures: 50, refusal: 'BRUTE_FORCE_LOCKED' };
export const quickCodeByAddress: AttemptRule = {
  kind: 'quick_code_address',
  maxFailures: 10,
  refusal: 'QUICKCODE_RATE_LIMIT',
};

/** Failures count for this long; a lock lasts as long. */
const windowMs = 15 * minuteMs;

export interface AttemptWindow {
  readonly failedAt: readonly Date[];
  readonly lockedUntil: Date | null;
}

/** Seconds until the next try is let in; undefined: now. */
export function waitSeconds({ lockedUntil }: AttemptWindow, now: Date): number | undefined {
  const waitMs = lockedUntil === null ? 0 : lockedUntil.getTime() - now.getTime();
  return waitMs > 0 ? Math.ceil(waitMs / 1000) : undefined;
}

/** The window after one more failure. A lock that has run out leaves nothing behind. */
export function afterFailure(window: AttemptWindow, now: Date, maxFailures: number): AttemptWindow {
  const since = now.getTime() - windowMs;
  const counted = window.lockedUntil === null ? window.failedAt.filter((at) => at.getTime() > since) : [];
  const failedAt = [...counted, now];
  const locked = failedAt.length >= maxFailures;
  return { failedAt, lockedUntil: locked ? new Date(now.getTime() + windowMs) : null };
}

const noFailures: AttemptWindow = { failedAt: [], lockedUntil: null };

/** Arrays of instants come from the driver as it likes. */
interface StoredWindow {
  readonly failedAt: readonly (string | Date)[];
  readonly lockedUntil: string | null;
}

const windowOf = ({ failedAt, lockedUntil }: StoredWindow): AttemptWindow => ({
  failedAt: failedAt.map((at) => new Date(at)),
  lockedUntil: lockedUntil === null ? null : new Date(lockedUntil),
});

/** Locks the subject's window until the transaction ends. */
export async function readWindow(
  trx: Trx,
  { kind }: AttemptRule,
  subjectHash: string,
  now: Date,
): Promise<AttemptWindow> {
  const key = { kind, subjectHash };
  await trx('attempt_window')
    .insert({ ...key, touchedAt: now })
    .onConflict()
    .ignore();
  const row: StoredWindow | undefined = await trx('attempt_window')
    .where(key)
    .forUpdate()
    .first('failedAt', 'lockedUntil');
  return row ? windowOf(row) : noFailures;
}

export async function writeWindow(
  trx: Trx,
  { kind }: AttemptRule,
  subjectHash: string,
  { failedAt, lockedUntil }: AttemptWindow,
  now: Date,
): Promise<void> {
  await trx('attempt_window')
    .where({ kind, subjectHash })
    .update({ failedAt: [...failedAt], lockedUntil, touchedAt: now });
}

/** Throws the rule's refusal, with the time to wait, while the window is locked. */
export function requireOpen(rule: AttemptRule, window: AttemptWindow, now: Date): void {
  const retryAfter = waitSeconds(window, now);
  if (retryAfter !== undefined)
    throw new AppError(rule.refusal, 'Too many failed attempts; wait and try again.', { retryAfter });
}

/**
 * Counts a try as a failure before its outcome is known, so that tries made at the same moment cannot pass the limit
 * together; `forget` takes it back after a success. Throws the rule's refusal while locked.
 */
export function claimAttempt(trx: Trx, rule: AttemptRule, subjectHash: string, now: Date): Promise<void> {
  return countFailure(trx, rule, subjectHash, now, (window) => requireOpen(rule, window, now));
}

export async function countFailure(
  trx: Trx,
  rule: AttemptRule,
  subjectHash: string,
  now: Date,
  before: (window: AttemptWindow) => void = () => {},
): Promise<void> {
  const window = await readWindow(trx, rule, subjectHash, now);
  before(window);
  if (waitSeconds(window, now) !== undefined) return;
  await writeWindow(trx, rule, subjectHash, afterFailure(window, now, rule.maxFailures), now);
}

/** A success clears the subject's failures. */
export async function forgetFailures(trx: Trx, { kind }: AttemptRule, subjectHash: string): Promise<void> {
  await trx('attempt_window').where({ kind, subjectHash }).update({ failedAt: [], lockedUntil: null });
}

/** Windows that nobody touched for two lengths hold nothing that counts. */
export async function forgetOldWindows(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * windowMs);
  await inContext(db, 'SUPER', (trx) => trx('attempt_window').where('touchedAt', '<', before).delete());
}
