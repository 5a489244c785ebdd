// Guessing is slow: after some failures within a time the guesser waits. The windows run on business time, and the
// subjects are kept as keyed hashes, so that unknown e-mail addresses behave like known ones and nothing personal stays.
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { AppError, type ErrorCode } from '#core/platform/errors.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import type { SecurityEventKind } from '../../security-events/index.ts';
import type { attemptKinds } from '../records/enums.ts';

export interface AttemptRule {
  readonly kind: (typeof attemptKinds)[number];
  readonly maxFailures: number;
  /** How many tries may be under way at once. Default: as many as places are left. */
  readonly atOnce?: number;
  /** The subject is the guesser's own: a success clears its failures. Of a shared one it takes back its own place only. */
  readonly own: boolean;
  readonly refusal: ErrorCode;
  /** What a lock leaves where it begins. */
  readonly event: SecurityEventKind;
}

export const loginByEmail: AttemptRule = {
  kind: 'login_email',
  maxFailures: 5,
  atOnce: 1,
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
/** All addresses of a network that one subscriber may hold. */
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

/** A signed-in student who tries codes of live sessions: short codes too, and windows of their own among those. */
export const joinCodeByStudent: AttemptRule = {
  kind: 'quick_code_device',
  maxFailures: 10,
  own: true,
  refusal: 'RATE_LIMITED',
  event: 'code_limit',
};

/** Whose window a try is counted in. */
export interface Subject {
  readonly rule: AttemptRule;
  readonly hash: string;
}

/** Failures count for this long; a lock lasts as long. */
const windowMs = 15 * minuteMs;

/** The place of a try that is under way; after `until` the process that ran it is taken for dead. */
export interface Reserved {
  readonly id: string;
  readonly until: Date;
}

export interface AttemptWindow {
  readonly failedAt: readonly Date[];
  readonly lockedUntil: Date | null;
  readonly reserved: readonly Reserved[];
}

/** Seconds until the next try is let in; undefined: now. */
export function waitSeconds({ lockedUntil }: AttemptWindow, now: Date): number | undefined {
  const waitMs = lockedUntil === null ? 0 : lockedUntil.getTime() - now.getTime();
  return waitMs > 0 ? Math.ceil(waitMs / 1000) : undefined;
}

/** A lock that has run out leaves nothing behind. */
function countedFailures({ failedAt, lockedUntil }: AttemptWindow, now: Date): readonly Date[] {
  const since = now.getTime() - windowMs;
  return lockedUntil === null ? failedAt.filter((at) => at.getTime() > since) : [];
}

const alive = (reserved: readonly Reserved[], now: Date) => reserved.filter(({ until }) => until > now);

/** How many more tries may begin now. */
export function freePlaces(rule: AttemptRule, window: AttemptWindow, now: Date): number {
  const underWay = alive(window.reserved, now).length;
  const left = rule.maxFailures - countedFailures(window, now).length - underWay;
  return Math.min(left, (rule.atOnce ?? rule.maxFailures) - underWay);
}

/** The window after one more failure. */
export function afterFailure(window: AttemptWindow, now: Date, maxFailures: number): AttemptWindow {
  const failedAt = [...countedFailures(window, now), now];
  const locked = failedAt.length >= maxFailures;
  return { ...window, failedAt, lockedUntil: locked ? new Date(now.getTime() + windowMs) : null };
}

/** The window without the place of one try, nor those of the dead. */
export const withoutPlace = (window: AttemptWindow, id: string, now: Date): AttemptWindow => ({
  ...window,
  reserved: alive(window.reserved, now).filter((place) => place.id !== id),
});

/** Arrays of instants come from the driver as it likes. */
interface StoredWindow {
  readonly failedAt: readonly (string | Date)[];
  readonly lockedUntil: string | null;
  readonly reserved: readonly { readonly id: string; readonly until: string }[];
}

const windowOf = ({ failedAt, lockedUntil, reserved }: StoredWindow): AttemptWindow => ({
  failedAt: failedAt.map((at) => new Date(at)),
  lockedUntil: lockedUntil === null ? null : new Date(lockedUntil),
  reserved: reserved.map(({ id, until }) => ({ id, until: new Date(until) })),
});

/** Locks the subject's window until the transaction ends. */
export async function readWindow(trx: Trx, { rule, hash }: Subject, now: Date): Promise<AttemptWindow> {
  const rows: StoredWindow[] = await trx('attempt_window')
    .insert({ kind: rule.kind, subjectHash: hash, touchedAt: now })
    .onConflict(['kind', 'subjectHash'])
    .merge(['touchedAt'])
    .returning(['failedAt', 'lockedUntil', 'reserved']);
  const [row] = rows;
  if (!row) throw new Error('the window of a subject was neither made nor found');
  return windowOf(row);
}

export async function writeWindow(trx: Trx, { rule, hash }: Subject, window: AttemptWindow, now: Date): Promise<void> {
  const { failedAt, lockedUntil, reserved } = window;
  await trx('attempt_window')
    .where({ kind: rule.kind, subjectHash: hash })
    .update({ failedAt: [...failedAt], lockedUntil, reserved: JSON.stringify(reserved), touchedAt: now });
}

/**
 * Counts one more failure in a window that this transaction has found open. The one place where a lock begins: true where
 * it does.
 */
export async function writeFailure(trx: Trx, subject: Subject, window: AttemptWindow, now: Date): Promise<boolean> {
  const after = afterFailure(window, now, subject.rule.maxFailures);
  await writeWindow(trx, subject, after, now);
  return after.lockedUntil !== null;
}

/** Throws the rule's refusal, with the time to wait, while the window is locked. */
export function requireOpen({ refusal }: AttemptRule, window: AttemptWindow, now: Date): void {
  const retryAfter = waitSeconds(window, now);
  if (retryAfter !== undefined)
    throw new AppError(refusal, 'Too many failed attempts; wait and try again.', { retryAfter });
}

/**
 * Counts a try as a failure before its outcome is known, in the transaction that finds it out; `clearFailures` takes it
 * back after a success. True where this failure, if it is one, begins a lock. Throws the rule's refusal while locked,
 * RATE_LIMITED while a login holds the last place.
 */
export async function claimAttempt(trx: Trx, subject: Subject, now: Date): Promise<boolean> {
  const window = await readWindow(trx, subject, now);
  requireOpen(subject.rule, window, now);
  if (freePlaces(subject.rule, window, now) < 1)
    throw new AppError('RATE_LIMITED', 'Somebody is signing in to this account; try again.', { retryAfter: 1 });
  return writeFailure(trx, subject, window, now);
}

/** A success clears the failures of a subject of one's own. */
export async function clearFailures(trx: Trx, { rule, hash }: Subject): Promise<void> {
  await trx('attempt_window').where({ kind: rule.kind, subjectHash: hash }).update({ failedAt: [], lockedUntil: null });
}

/** Windows that nobody touched for two lengths hold nothing that counts. */
export async function purgeOldWindows(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * windowMs);
  await inContext(db, 'SUPER', (trx) => trx('attempt_window').where('touchedAt', '<', before).delete());
}
