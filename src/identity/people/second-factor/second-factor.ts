// The second factor of administrators: enrolled, confirmed with a first code, required at every login, disabled with
// password and code. A used code is spent by an inserted row, a used recovery code by deleting its row.

import { randomInt } from 'node:crypto';
import type { EncryptedColumn } from '#core/module/reencryption.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict, denied, invalid } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { typedCode } from '#core/platform/pure/typed-text.ts';
import { lockAccount, Totp, TotpRecoveryCode, TotpSpentCode, type User } from '../records/users.ts';
import { newTotpSecret, otpauthUrl, stepOfCode } from './totp.ts';

type SecretCipher = Services['cipher'];
export type FactorOwner = Pick<User, 'id' | 'organizationId' | 'email' | 'primaryPersona'>;

interface FactorWork {
  readonly trx: Trx;
  readonly cipher: SecretCipher;
  readonly now: Date;
}

interface TotpRow {
  readonly encryptedSecret: string;
  readonly confirmedAt: string | null;
}

const cipherContext = (userId: number) => `totp:${userId}`;
/** The sealed column, whose SQL context equals `cipherContext`. */
export const sealedSecrets: EncryptedColumn = {
  lock: 'secondFactor',
  table: 'totp',
  id: 'user_id',
  column: 'encrypted_secret',
  context: "'totp:' || user_id",
};
const recoveryCodes = 10;
/** Excludes characters that look alike; ten of them are 49 bits. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
/** Spent steps older than this are deleted, because their codes have expired; ten steps are five minutes. */
const keptSteps = 10;

export const secondFactorRequired = () =>
  new AppError('SECOND_FACTOR_REQUIRED', 'This account signs in with a code of its second factor too.');

/** The account that a second factor belongs to. */
export type FactorKey = Pick<FactorOwner, 'id' | 'organizationId'>;

const keyOf = ({ id, organizationId }: FactorKey) => ({
  organizationId: storedOrganization(organizationId),
  userId: id,
});

/** Locks the account first, as erasure does, because rows of codes refer to it; then the second factor. */
async function lockFactorRow(trx: Trx, person: FactorKey): Promise<TotpRow | undefined> {
  await lockAccount(trx, person, 'change');
  return lockRows('secondFactor', 'change', Totp.query(trx).where(keyOf(person)))
    .select('encryptedSecret', 'confirmedAt')
    .first();
}

/**
 * Stores a new secret; an unconfirmed one is replaced. Throws PERMISSION_DENIED unless the owner is an administrator, and
 * CONFLICT `already_confirmed`.
 */
export async function enrollSecondFactor(
  { trx, cipher, now }: FactorWork,
  owner: FactorOwner,
): Promise<{ secret: string; otpauthUrl: string }> {
  const { id: userId, email } = owner;
  requireAdministrator(owner);
  if ((await lockFactorRow(trx, owner))?.confirmedAt) throw alreadyConfirmed();
  const secret = newTotpSecret();
  const encryptedSecret = cipher.encrypt(secret, cipherContext(userId));
  const stored = await Totp.query(trx)
    .insert({ ...keyOf(owner), encryptedSecret, enrolledAt: now.toISOString() })
    .onConflict(['organizationId', 'userId'])
    .merge(['encryptedSecret', 'enrolledAt'])
    .whereNull('totp.confirmedAt')
    .returning('userId')
    .toKnexQuery();
  if (stored.length === 0) throw alreadyConfirmed();
  return { secret, otpauthUrl: otpauthUrl(secret, email ?? String(userId)) };
}

/** Throws PERMISSION_DENIED unless the person is an administrator. */
export function requireAdministrator({ primaryPersona }: Pick<FactorOwner, 'primaryPersona'>): void {
  if (primaryPersona !== 'ADMIN') throw denied('A second factor is for administrators.');
}

const alreadyConfirmed = () => conflict('already_confirmed', 'The second factor is in use; disable it first.');
const notEnrolled = () => conflict('not_enrolled', 'There is no second factor to work with; enroll first.');

/** Confirms the secret with a code, which is spent, and returns the recovery codes, which are shown only this once. */
export async function confirmSecondFactor(
  { trx, cipher, now }: FactorWork,
  owner: FactorOwner,
  { code, sessionId }: { code: string; sessionId: string },
): Promise<string[]> {
  const row = await lockFactorRow(trx, owner);
  if (!row) throw notEnrolled();
  if (row.confirmedAt) throw alreadyConfirmed();
  if (!(await spendStep({ trx, cipher, now }, owner, row, code))) throw invalid('code', 'wrong_code');
  await Totp.query(trx).where(keyOf(owner)).update({ confirmedAt: now.toISOString(), confirmedSessionId: sessionId });
  const codes = Array.from({ length: recoveryCodes }, drawRecoveryCode);
  await TotpRecoveryCode.query(trx).insert(
    codes.map((text) => ({
      ...keyOf(owner),
      codeHash: cipher.keyedHash('recovery_code', recoveryText(owner.id, text)),
    })),
  );
  return codes;
}

function drawRecoveryCode(): string {
  const letters = Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}

const recoveryText = (userId: number, code: string) => `${userId}:${typedCode(code).toLowerCase()}`;

/** `none`: the account has no second factor in use; `recovered`: a recovery code was accepted. */
export type FactorResult = 'none' | 'accepted' | 'recovered' | 'missing' | 'wrong';

/** Spends the code: of several logins with one code at most one is `accepted`, or `recovered`. */
export async function spendFactorCode(
  work: FactorWork,
  owner: FactorKey,
  code: string | undefined,
): Promise<FactorResult> {
  const row: TotpRow | undefined = await Totp.query(work.trx).where(keyOf(owner)).whereNotNull('confirmedAt').first();
  if (!row) return 'none';
  if (code === undefined) return 'missing';
  if (await spendStep(work, owner, row, code)) return 'accepted';
  return (await spendRecoveryCode(work, owner, code)) ? 'recovered' : 'wrong';
}

async function spendStep(
  { trx, cipher, now }: FactorWork,
  owner: FactorKey,
  row: TotpRow,
  code: string,
): Promise<boolean> {
  const step = stepOfCode(cipher.decrypt(row.encryptedSecret, cipherContext(owner.id)), code, now);
  if (step === undefined) return false;
  await TotpSpentCode.query(trx)
    .where(keyOf(owner))
    .where('step', '<', step - keptSteps)
    .delete();
  const spent = await TotpSpentCode.query(trx)
    .insert({ ...keyOf(owner), step })
    .onConflict()
    .ignore()
    .returning('step')
    .toKnexQuery();
  return spent.length === 1;
}

async function spendRecoveryCode({ trx, cipher }: FactorWork, owner: FactorKey, code: string): Promise<boolean> {
  const hashes = cipher.keyedHashes('recovery_code', recoveryText(owner.id, code));
  return (
    (await TotpRecoveryCode.query(trx)
      .where(keyOf(owner))
      .whereIn('codeHash', [...hashes])
      .delete()) === 1
  );
}

/** Locks the second factor. Throws CONFLICT `not_enrolled` when none is in use. */
export async function requireFactorInUse(trx: Trx, person: FactorKey): Promise<void> {
  if (!(await lockFactorRow(trx, person))?.confirmedAt) throw notEnrolled();
}

/** Deletes the second factor with its codes; also used by recovery. Returns true when there was one. */
export async function removeSecondFactor(trx: Trx, person: FactorKey): Promise<boolean> {
  const removed = await Totp.query(trx).where(keyOf(person)).delete();
  for (const table of ['totp_spent_code', 'totp_recovery_code']) await trx(table).where(keyOf(person)).delete();
  return removed > 0;
}
