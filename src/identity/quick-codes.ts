// Short codes with which children sign in. Only a keyed hash is stored: eight characters could be found from a plain one.
import { randomInt } from 'node:crypto';
import { type Db, inContext, type Trx, violatedConstraint } from '../platform/db.ts';
import { AppError, conflict } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { afterFailure, forgetFailures, quickCodeByAddress, readWindow, requireOpen, writeWindow } from './attempts.ts';
import { openSession, type TokenPair } from './sessions.ts';
import { subjectHash } from './sign-in-limits.ts';
import type { User } from './store.ts';
import type { Vault } from './vault.ts';

/** Without characters that look alike. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const codeLength = 8;
const lifeMs = 30 * 86_400_000;
const maxDraws = 5;

export const drawQuickCode = (): string =>
  Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');

const codeHash = (vault: Vault, code: string) => vault.keyedHash('quick_code', code);

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
  readonly vault: Vault;
  readonly now: Date;
  readonly draw?: () => string;
}

/** A fresh code for each student; codes they had before are dead. CONFLICT `quick_code_collision` after five draws. */
export async function issueQuickCodes(press: CodePress, students: readonly Holder[]): Promise<IssuedCode[]> {
  const living = await lockedLiving(press.trx, students);
  if (living.length === 0) return [];
  for (let draws = 0; draws < maxDraws; draws++) {
    const issued = await tryToIssue(press, living);
    if (issued) return issued;
  }
  throw conflict('quick_code_collision', 'No unused code was found; try again.');
}

/** Erasure takes the same locks: nobody who is erased at this moment gets a code. */
async function lockedLiving(trx: Trx, students: readonly Holder[]): Promise<Holder[]> {
  const ids = students.map(({ id }) => id);
  const rows: { id: number }[] = await trx('app_user')
    .whereIn('id', ids)
    .whereNot({ status: 'deleted' })
    .orderBy('id')
    .forShare()
    .select('id');
  const living = new Set(rows.map(({ id }) => id));
  return students.filter(({ id }) => living.has(id));
}

/** In a savepoint: codes are unique over all organizations, whose rows this transaction cannot see. */
async function tryToIssue(press: CodePress, students: readonly Holder[]): Promise<IssuedCode[] | undefined> {
  const { trx, vault, now, draw = drawQuickCode } = press;
  const expiresAt = new Date(now.getTime() + lifeMs).toISOString();
  const ordered = [...students].sort((a, b) => a.id - b.id);
  const issued = ordered.map(({ id, organizationId }) => ({
    studentId: id,
    organizationId,
    quickCode: draw(),
    expiresAt,
  }));
  const rows = issued.map(({ quickCode, ...row }) => ({ ...row, codeHash: codeHash(vault, quickCode), issuedAt: now }));
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

/**
 * QUICKCODE_INVALID_OR_EXPIRED for a code that opens no account; QUICKCODE_RATE_LIMIT after ten wrong ones from one
 * address. Tries of one address take turns on its window, so that ten means ten.
 */
export async function signInWithQuickCode(
  services: Services,
  { quickCode, clientIp }: { quickCode: string; clientIp: string },
  now: Date,
): Promise<TokenPair> {
  const { db, vault, tokens } = services;
  const address = subjectHash(services, quickCodeByAddress, clientIp);
  const pair = await inContext(db, 'SUPER', async (trx) => {
    const window = await readWindow(trx, quickCodeByAddress, address, now);
    requireOpen(quickCodeByAddress, window, now);
    const student = await holderOf(trx, codeHash(vault, normalCode(quickCode)), now);
    if (!student) {
      const next = afterFailure(window, now, quickCodeByAddress.maxFailures);
      return void (await writeWindow(trx, quickCodeByAddress, address, next, now));
    }
    await forgetFailures(trx, quickCodeByAddress, address);
    return openSession(trx, tokens, student, now);
  });
  if (!pair)
    throw new AppError('QUICKCODE_INVALID_OR_EXPIRED', 'This code is not valid; ask your teacher for a new one.');
  return pair;
}

function holderOf(trx: Trx, hash: string, now: Date): Promise<Pick<User, 'id' | 'organizationId'> | undefined> {
  return trx('quick_code as q')
    .join('app_user as u', 'u.id', 'q.studentId')
    .where({ 'q.codeHash': hash, 'u.status': 'active' })
    .where('q.expiresAt', '>', now)
    .first('u.id', 'u.organizationId');
}

/** Codes whose time has passed. */
export async function forgetOldCodes(db: Db, now: Date): Promise<void> {
  await inContext(db, 'SUPER', (trx) => trx('quick_code').where('expiresAt', '<=', now).delete());
}
