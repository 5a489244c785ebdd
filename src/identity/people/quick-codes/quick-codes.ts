// Short codes with which children sign in. Only a keyed hash is stored: a plain hash of eight characters could be reversed.
import { randomInt } from 'node:crypto';
import type { Services } from '#core/module/services.ts';
import type { Clock } from '#core/platform/clock.ts';
import { type Db, inContext, type Trx, violatedConstraint } from '#core/platform/db.ts';
import { AppError, conflict } from '#core/platform/errors.ts';
import type { SecretCipher } from '#core/platform/keys/cipher.ts';
import { lockRows } from '#core/platform/locks.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { KeyedMutex } from '#core/platform/pure/keyed-mutex.ts';
import { typedCode } from '#core/platform/pure/typed-text.ts';
import { quickCodeSubjects } from '../attempts/attempt-subjects.ts';
import { type AttemptSubject, clearFailures, readWindow, requireUnlocked } from '../attempts/attempts.ts';
import { countAttemptFailure } from '../attempts/lock-events.ts';
import { openSession, type TokenPair } from '../auth-sessions/auth-sessions.ts';
import { QuickCode, User } from '../records/users.ts';

/** Excludes characters that look alike. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const codeLength = 8;
/** Lifetime of a code. */
export const codeLifeMs = 30 * dayMs;
const maxDraws = 5;

export const drawQuickCode = (): string =>
  Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');

const hashPurpose = 'quick_code';

export interface IssuedCode {
  readonly studentId: number;
  readonly quickCode: string;
  readonly expiresAt: string;
}

interface StudentKey {
  readonly id: number;
  readonly organizationId: string;
}

/** The context in which codes are issued; `draw` returns one code. */
export interface CodeIssue {
  readonly trx: Trx;
  readonly cipher: SecretCipher;
  readonly now: Date;
  readonly draw?: (studentId: number) => string;
}

/**
 * Issues a new code to each student; earlier codes become invalid. Throws CONFLICT `quick_code_collision` when five draws
 * found no unused code.
 */
export async function issueQuickCodes(issue: CodeIssue, students: readonly StudentKey[]): Promise<IssuedCode[]> {
  return issueToLocked(issue, await lockLivingHolders(issue.trx, students));
}

/** Issues codes to students whose accounts this transaction has locked or created; throws as `issueQuickCodes` does. */
export async function issueToLocked(issue: CodeIssue, living: readonly StudentKey[]): Promise<IssuedCode[]> {
  if (living.length === 0) return [];
  for (let draws = 0; draws < maxDraws; draws++) {
    const issued = await tryToIssue(issue, living);
    if (issued) return issued;
  }
  throw conflict('quick_code_collision', 'No unused code was found; try again.');
}

/**
 * Locks the students who were neither erased nor merged into another account. Erasure and merging take the same locks, so
 * no code is issued to such an account. The lock also serializes two issues to one student, so that the record of changes contains the replaced code.
 */
async function lockLivingHolders(trx: Trx, students: readonly StudentKey[]): Promise<StudentKey[]> {
  const ids = students.map(({ id }) => id);
  const all = User.query(trx).whereIn('id', ids).whereNotIn('status', ['merged', 'deleted']).orderBy('id');
  const rows: { id: number }[] = await lockRows('account', 'change', all).select('id');
  const living = new Set(rows.map(({ id }) => id));
  return students.filter(({ id }) => living.has(id));
}

/** Uses a savepoint: codes are unique across organizations, whose rows this transaction cannot see. Undefined: collision. */
async function tryToIssue(issue: CodeIssue, students: readonly StudentKey[]): Promise<IssuedCode[] | undefined> {
  const { trx, cipher, now, draw = drawQuickCode } = issue;
  const expiresAt = new Date(now.getTime() + codeLifeMs).toISOString();
  const ordered = [...students].sort((a, b) => a.id - b.id);
  const issued = ordered.map(({ id, organizationId }) => ({
    studentId: id,
    organizationId,
    quickCode: draw(id),
    expiresAt,
  }));
  const rows = issued.map(({ quickCode, ...row }) => ({
    ...row,
    codeHash: cipher.keyedHash(hashPurpose, quickCode),
    issuedAt: now,
  }));
  try {
    await trx.transaction((savepoint) =>
      savepoint('quick_code').insert(rows).onConflict(['organizationId', 'studentId']).merge(),
    );
  } catch (error) {
    if (violatedConstraint(error) === 'quick_code_hash_unique') return undefined;
    throw error;
  }
  return issued.map(({ studentId, quickCode }) => ({ studentId, quickCode, expiresAt }));
}

/** Accepts lower case, spaces, hyphens and the digits of any script. */
const normalCode = (text: string) => typedCode(text).toUpperCase();

/** Attempts of one address are serialized here, not by the lock on its row, so that waiting needs no connection. */
const addressMutex = new KeyedMutex();

export interface QuickCodeLogin {
  readonly quickCode: string;
  readonly clientIp: string;
  /** Header X-Device-Id. */
  readonly deviceId: string | undefined;
}

/**
 * Opens a session. Throws QUICKCODE_INVALID_OR_EXPIRED for a code without an active account, and QUICKCODE_RATE_LIMIT after
 * ten wrong codes from one device or a hundred from one address. All windows are locked first, so that concurrent attempts
 * cannot exceed the limits.
 */
export async function signInWithQuickCode<Result extends object>(
  services: Services,
  input: QuickCodeLogin,
  now: Date,
  respond: (pair: TokenPair) => Result,
): Promise<Result> {
  const { cipher, tokens } = services;
  const { own, shared } = quickCodeSubjects(services, input.clientIp, input.deviceId);
  const guess = { clientIp: input.clientIp, account: undefined };
  const response = await addressMutex.runExclusive((shared[0] ?? own).hash, () =>
    inContext(services.db, 'SUPER', async (trx) => {
      const holder = await holderOf(trx, cipher.keyedHashes(hashPurpose, normalCode(input.quickCode)));
      const { windows, at } = await lockOpenWindows(trx, [own, ...shared], services.clock);
      if (holder && new Date(holder.expiresAt) > at) {
        await clearFailures(trx, own);
        return respond(await openSession(trx, tokens, holder, now));
      }
      for (const window of windows) await countAttemptFailure(services, trx, window, guess, at);
      return undefined;
    }),
  );
  if (!response)
    throw new AppError('QUICKCODE_INVALID_OR_EXPIRED', 'This code is not valid; ask your teacher for a new one.');
  return response;
}

/** Locks the windows and throws the error of a locked-out one. `at` is read while the locks are held. */
async function lockOpenWindows(trx: Trx, subjects: readonly AttemptSubject[], clock: Clock) {
  const windows = [];
  for (const subject of subjects) windows.push({ subject, window: await readWindow(trx, subject, clock.now()) });
  const at = clock.now();
  for (const { subject, window } of windows) requireUnlocked(subject.rule, window, at);
  return { windows, at };
}

type CodeHolder = Pick<User, 'id' | 'organizationId'> & { readonly expiresAt: string };

/** Returns the owner of a code and locks the account, which precedes the windows in lock order, against deactivation. */
function holderOf(trx: Trx, hashes: readonly string[]): Promise<CodeHolder | undefined> {
  const holders = trx('quick_code as q')
    .join('app_user as u', 'u.id', 'q.studentId')
    .whereIn('q.codeHash', [...hashes])
    .where({ 'u.status': 'active' });
  return lockRows('account', 'share', holders, 'u').first('u.id', 'u.organizationId', 'q.expiresAt');
}

/** Deletes expired codes. */
export async function purgeOldCodes(db: Db, now: Date): Promise<void> {
  await inContext(db, 'SUPER', (trx) => QuickCode.query(trx).where('expiresAt', '<=', now).delete().execute());
}
