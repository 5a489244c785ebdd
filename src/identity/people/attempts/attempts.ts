// Brute-force protection: after a number of failures within a window, further attempts are locked for a time. Windows run
// on business time. Subjects are stored as keyed hashes: unknown e-mail addresses behave like known ones.

import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { AppError, type ErrorCode } from '#core/platform/errors.ts';
import { modelOf } from '#core/platform/model.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import type { SecurityEventKind } from '../../security-events/index.ts';
import type { attemptKinds } from '../records/enums.ts';

export interface AttemptRule {
  readonly kind: (typeof attemptKinds)[number];
  readonly maxFailures: number;
  /** Maximum number of concurrent attempts. Default: the number of free slots. */
  readonly maxConcurrent?: number;
  /** True when the subject belongs to one person: a success clears its failures. On a shared subject it clears none. */
  readonly own: boolean;
  readonly refusal: ErrorCode;
  /** The security event that is recorded when a lock begins. */
  readonly event: SecurityEventKind;
}

export const loginByEmail: AttemptRule = {
  kind: 'login_email',
  maxFailures: 5,
  maxConcurrent: 1,
  own: true,
  refusal: 'BRUTE_FORCE_LOCKED',
  event: 'lockout',
};
export const loginByAddress: AttemptRule = {
  kind: 'login_address',
  maxFailures: 50,
  own: false,
  refusal: 'BRUTE_FORCE_LOCKED',
  event: 'lockout',
};
/** All addresses of a network that belongs to one subscriber. */
export const loginByNetwork: AttemptRule = { ...loginByAddress, maxFailures: 10 * loginByAddress.maxFailures };
export const quickCodeByDevice: AttemptRule = {
  kind: 'quick_code_device',
  maxFailures: 10,
  own: true,
  refusal: 'QUICKCODE_RATE_LIMIT',
  event: 'code_limit',
};
export const quickCodeByAddress: AttemptRule = {
  kind: 'quick_code_address',
  maxFailures: 100,
  own: false,
  refusal: 'QUICKCODE_RATE_LIMIT',
  event: 'code_limit',
};

export const quickCodeByNetwork: AttemptRule = {
  ...quickCodeByAddress,
  maxFailures: 10 * quickCodeByAddress.maxFailures,
};

/** A signed-in student who enters join codes of live lessons; it shares the kind of windows with quick codes. */
export const joinCodeByStudent: AttemptRule = {
  kind: 'quick_code_device',
  maxFailures: 10,
  own: true,
  refusal: 'RATE_LIMITED',
  event: 'code_limit',
};

/** The subject in whose window an attempt is counted. */
export interface AttemptSubject {
  readonly rule: AttemptRule;
  readonly hash: string;
}

/** How long a failure counts; a lock lasts equally long. */
const windowMs = 15 * minuteMs;

/** The reserved slot of a running attempt; after `until` its process is considered dead. */
export interface Reservation {
  readonly id: string;
  readonly until: Date;
}

export interface AttemptWindow {
  readonly failedAt: readonly Date[];
  readonly lockedUntil: Date | null;
  readonly reserved: readonly Reservation[];
}

/** Returns the seconds until the lock ends; undefined when the window is not locked. */
export function waitSeconds({ lockedUntil }: AttemptWindow, now: Date): number | undefined {
  const waitMs = lockedUntil === null ? 0 : lockedUntil.getTime() - now.getTime();
  return waitMs > 0 ? Math.ceil(waitMs / 1000) : undefined;
}

/** An expired lock clears the failures before it. */
function countedFailures({ failedAt, lockedUntil }: AttemptWindow, now: Date): readonly Date[] {
  const since = now.getTime() - windowMs;
  return lockedUntil === null ? failedAt.filter((at) => at.getTime() > since) : [];
}

const liveReservations = (reserved: readonly Reservation[], now: Date) => reserved.filter(({ until }) => until > now);

/** Returns how many more attempts may start now. */
export function freeSlots(rule: AttemptRule, window: AttemptWindow, now: Date): number {
  const running = liveReservations(window.reserved, now).length;
  const left = rule.maxFailures - countedFailures(window, now).length - running;
  return Math.min(left, (rule.maxConcurrent ?? rule.maxFailures) - running);
}

/** Returns the window after one more failure. */
export function afterFailure(window: AttemptWindow, now: Date, maxFailures: number): AttemptWindow {
  const failedAt = [...countedFailures(window, now), now];
  const locked = failedAt.length >= maxFailures;
  return { ...window, failedAt, lockedUntil: locked ? new Date(now.getTime() + windowMs) : null };
}

/** Returns the window without the reservation `id` and without expired reservations. */
export const withoutReservation = (window: AttemptWindow, id: string, now: Date): AttemptWindow => ({
  ...window,
  reserved: liveReservations(window.reserved, now).filter((reservation) => reservation.id !== id),
});

/** The driver returns the elements of a timestamp array as strings or as dates. */
interface StoredWindow {
  readonly failedAt: readonly (string | Date)[];
  readonly lockedUntil: string | null;
  readonly reserved: readonly { readonly id: string; readonly until: string }[];
}

const StoredAttemptWindow = modelOf<
  StoredWindow & { readonly kind: AttemptRule['kind']; readonly subjectHash: string; readonly touchedAt: string }
>('attempt_window', { id: ['kind', 'subjectHash'], json: ['reserved'] });

const windowOf = ({ failedAt, lockedUntil, reserved }: StoredWindow): AttemptWindow => ({
  failedAt: failedAt.map((at) => new Date(at)),
  lockedUntil: lockedUntil === null ? null : new Date(lockedUntil),
  reserved: reserved.map(({ id, until }) => ({ id, until: new Date(until) })),
});

/** Reads the subject's window, creating it if necessary, and locks it until the transaction ends. */
export async function readWindow(trx: Trx, { rule, hash }: AttemptSubject, now: Date): Promise<AttemptWindow> {
  const row = await StoredAttemptWindow.query(trx)
    .insert({ kind: rule.kind, subjectHash: hash, touchedAt: now.toISOString() })
    .onConflict(['kind', 'subjectHash'])
    .merge(['touchedAt'])
    .returning(['failedAt', 'lockedUntil', 'reserved']);
  return windowOf(row);
}

export async function writeWindow(
  trx: Trx,
  { rule, hash }: AttemptSubject,
  window: AttemptWindow,
  now: Date,
): Promise<void> {
  const { failedAt } = window;
  const lockedUntil = window.lockedUntil?.toISOString() ?? null;
  const reserved = window.reserved.map(({ id, until }) => ({ id, until: until.toISOString() }));
  await StoredAttemptWindow.query(trx)
    .where({ kind: rule.kind, subjectHash: hash })
    .update({ failedAt: [...failedAt], lockedUntil, reserved, touchedAt: now.toISOString() });
}

/** Counts one more failure in a window that this transaction has locked and found open. Returns true if a lock begins. */
export async function writeFailure(
  trx: Trx,
  subject: AttemptSubject,
  window: AttemptWindow,
  now: Date,
): Promise<boolean> {
  const after = afterFailure(window, now, subject.rule.maxFailures);
  await writeWindow(trx, subject, after, now);
  return after.lockedUntil !== null;
}

/** Throws the rule's error with `retryAfter` while the window is locked. */
export function requireUnlocked({ refusal }: AttemptRule, window: AttemptWindow, now: Date): void {
  const retryAfter = waitSeconds(window, now);
  if (retryAfter !== undefined)
    throw new AppError(refusal, 'Too many failed attempts; wait and try again.', { retryAfter });
}

/**
 * Counts an attempt as a failure before its outcome is known, in the same transaction; `clearFailures` undoes it after a
 * success. Returns true if this failure begins a lock. Throws the rule's error while the window is locked, and RATE_LIMITED
 * while concurrent logins use the last free slot.
 */
export async function claimAttempt(trx: Trx, subject: AttemptSubject, now: Date): Promise<boolean> {
  const window = await readWindow(trx, subject, now);
  requireUnlocked(subject.rule, window, now);
  if (freeSlots(subject.rule, window, now) < 1)
    throw new AppError('RATE_LIMITED', 'Another sign-in to this account is running. Try again.', { retryAfter: 1 });
  return writeFailure(trx, subject, window, now);
}

/** Clears the failures of a subject that belongs to one person, after a success. */
export async function clearFailures(trx: Trx, { rule, hash }: AttemptSubject): Promise<void> {
  await StoredAttemptWindow.query(trx)
    .where({ kind: rule.kind, subjectHash: hash })
    .update({ failedAt: [], lockedUntil: null });
}

/** Deletes windows that were not used for two window lengths: none of their failures counts. */
export async function purgeOldWindows(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * windowMs);
  await inContext(db, 'SUPER', (trx) =>
    StoredAttemptWindow.query(trx).where('touchedAt', '<', before).delete().execute(),
  );
}
