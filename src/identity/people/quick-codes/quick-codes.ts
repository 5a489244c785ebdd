// Short codes with which children sign in. Only a keyed hash is stored: eight characters could be found from a plain one.
import { randomInt } from 'node:crypto';
import type { Services } from '#core/module/services.ts';
import type { Clock } from '#core/platform/clock.ts';
import { type Db, inContext, type Trx, violatedConstraint } from '#core/platform/db.ts';
import { AppError, conflict } from '#core/platform/errors.ts';
import type { SecretCipher } from '#core/platform/keys/cipher.ts';
import { lockRows } from '#core/platform/locks.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { KeyedMutex } from '#core/platform/pure/keyed-mutex.ts';
import { clearFailures, readWindow, requireOpen, type Subject } from '../attempts/attempts.ts';
import { quickCodeSubjects } from '../attempts/limits.ts';
import { countFailure } from '../attempts/lock-events.ts';
import type { User } from '../records/users.ts';
import { openSession, type TokenPair } from '../sessions/sessions.ts';

/** Without characters that look alike. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const codeLength = 8;
/** A code is valid for so long. */
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

interface Holder {
  readonly id: number;
  readonly organizationId: string;
}

/** What issuing needs; `draw` makes one code. */
export interface CodePress {
  readonly trx: Trx;
  readonly cipher: SecretCipher;
  readonly now: Date;
  readonly draw?: (studentId: number) => string;
}

/** A fresh code for each student; codes they had before are dead. CONFLICT `quick_code_collision` after five draws. */
export async function issueQuickCodes(press: CodePress, students: readonly Holder[]): Promise<IssuedCode[]> {
  return issueTo(press, await lockedLiving(press.trx, students));
}

/** As `issueQuickCodes`, to students whose accounts this transaction has locked, or made. */
export async function issueTo(press: CodePress, living: readonly Holder[]): Promise<IssuedCode[]> {
  if (living.length === 0) return [];
  for (let draws = 0; draws < maxDraws; draws++) {
    const issued = await tryToIssue(press, living);
    if (issued) return issued;
  }
  throw conflict('quick_code_collision', 'No unused code was found; try again.');
}

/**
 * Erasure takes the same locks: nobody who is erased at this moment gets a code. Of two that issue to one child at once the
 * second finds the first one's row: the record of changes tells what it took away.
 */
async function lockedLiving(trx: Trx, students: readonly Holder[]): Promise<Holder[]> {
  const ids = students.map(({ id }) => id);
  const all = trx('app_user').whereIn('id', ids).whereNot({ status: 'deleted' }).orderBy('id');
  const rows: { id: number }[] = await lockRows('account', 'change', all).select('id');
  const living = new Set(rows.map(({ id }) => id));
  return students.filter(({ id }) => living.has(id));
}

/** In a savepoint: codes are unique over all organizations, whose rows this transaction cannot see. */
async function tryToIssue(press: CodePress, students: readonly Holder[]): Promise<IssuedCode[] | undefined> {
  const { trx, cipher, now, draw = drawQuickCode } = press;
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

/** Small letters, spaces and hyphens are what children and printers make of a code. */
const normalCode = (text: string) => text.replaceAll(/[\s-]/g, '').toUpperCase();

/** Tries of one address wait here and not on its row: each takes moments, and would hold a connection meanwhile. */
const addressMutex = new KeyedMutex();

export interface CodeTry {
  readonly quickCode: string;
  readonly clientIp: string;
  /** Header X-Device-Id. */
  readonly deviceId: string | undefined;
}

/**
 * QUICKCODE_INVALID_OR_EXPIRED for a code that opens no account; QUICKCODE_RATE_LIMIT after ten wrong ones from one
 * device or a hundred from one address. All windows are locked before anything is done with the code, so that ten means ten.
 */
export async function signInWithQuickCode<Said extends object>(
  services: Services,
  input: CodeTry,
  now: Date,
  answer: (pair: TokenPair) => Said,
): Promise<Said> {
  const { cipher, tokens } = services;
  const { own, shared } = quickCodeSubjects(services, input.clientIp, input.deviceId);
  const guess = { clientIp: input.clientIp, account: undefined };
  const answered = await addressMutex.runExclusive((shared[0] ?? own).hash, () =>
    inContext(services.db, 'SUPER', async (trx) => {
      const holder = await holderOf(trx, cipher.keyedHashes(hashPurpose, normalCode(input.quickCode)));
      const tried = await openWindows(trx, [own, ...shared], services.clock);
      if (holder && new Date(holder.expiresAt) > tried.at) {
        await clearFailures(trx, own);
        return answer(await openSession(trx, tokens, holder, now));
      }
      for (const counted of tried.windows) await countFailure(services, trx, counted, guess, tried.at);
      return undefined;
    }),
  );
  if (!answered)
    throw new AppError('QUICKCODE_INVALID_OR_EXPIRED', 'This code is not valid; ask your teacher for a new one.');
  return answered;
}

/** Locks the windows and throws the refusal of one that is closed. The moment is taken under the locks. */
async function openWindows(trx: Trx, subjects: readonly Subject[], clock: Clock) {
  const windows = [];
  for (const subject of subjects) windows.push({ subject, window: await readWindow(trx, subject, clock.now()) });
  const at = clock.now();
  for (const { subject, window } of windows) requireOpen(subject.rule, window, at);
  return { windows, at };
}

type CodeHolder = Pick<User, 'id' | 'organizationId'> & { readonly expiresAt: string };

/** Whose code it is. The account stays open until the session is there; its lock comes before those of the windows. */
function holderOf(trx: Trx, hashes: readonly string[]): Promise<CodeHolder | undefined> {
  const holders = trx('quick_code as q')
    .join('app_user as u', 'u.id', 'q.studentId')
    .whereIn('q.codeHash', [...hashes])
    .where({ 'u.status': 'active' });
  return lockRows('account', 'share', holders, 'u').first('u.id', 'u.organizationId', 'q.expiresAt');
}

/** Codes whose time has passed. */
export async function purgeOldCodes(db: Db, now: Date): Promise<void> {
  await inContext(db, 'SUPER', (trx) => trx('quick_code').where('expiresAt', '<=', now).delete());
}
