// The second factor of administrators: enrolled, confirmed with a first code, asked for at every login, taken away with
// password and code. A code is spent by the row that it leaves, a recovery code by the row that it takes.

import { randomInt } from 'node:crypto';
import type { SealedColumn } from '#core/module/sealing.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict, denied, invalid } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { lockAccount, type User } from '../records/users.ts';
import { newTotpSecret, otpauthUrl, stepOfCode } from './totp.ts';

type SecretCipher = Services['cipher'];
export type FactorOwner = Pick<User, 'id' | 'organizationId' | 'email' | 'primaryPersona'>;

interface Unit {
  readonly trx: Trx;
  readonly cipher: SecretCipher;
  readonly now: Date;
}

interface TotpRow {
  readonly encryptedSecret: string;
  readonly confirmedAt: string | null;
}

const cipherContext = (userId: number) => `totp:${userId}`;
/** The same in the database. */
export const sealedSecrets: SealedColumn = {
  ...{ lock: 'secondFactor', table: 'totp', id: 'user_id', column: 'encrypted_secret' },
  context: "'totp:' || user_id",
};
const recoveryCodes = 10;
/** Without characters that look alike; 49 bits. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
/** Steps whose codes nobody accepts any more; ten are five minutes. */
const skippedSteps = 10;

export const secondFactorRequired = () =>
  new AppError('SECOND_FACTOR_REQUIRED', 'This account signs in with a code of its second factor too.');

/** Whose it is. */
export type FactorKey = Pick<FactorOwner, 'id' | 'organizationId'>;

const keyOf = ({ id, organizationId }: FactorKey) => ({
  organizationId: storedOrganization(organizationId),
  userId: id,
});

/** With the account, which every row of a code refers to: erasure takes that first. */
async function lockedRow(trx: Trx, person: FactorKey): Promise<TotpRow | undefined> {
  await lockAccount(trx, person, 'change');
  return lockRows('secondFactor', 'change', trx('totp').where(keyOf(person))).first('encryptedSecret', 'confirmedAt');
}

/** PERMISSION_DENIED for whoever is no administrator; CONFLICT `already_confirmed`. An unconfirmed secret is replaced. */
export async function enrollSecondFactor(
  { trx, cipher, now }: Unit,
  owner: FactorOwner,
): Promise<{ secret: string; otpauthUrl: string }> {
  const { id: userId, email } = owner;
  requireAdministrator(owner);
  if ((await lockedRow(trx, owner))?.confirmedAt) throw alreadyConfirmed();
  const secret = newTotpSecret();
  const encryptedSecret = cipher.encrypt(secret, cipherContext(userId));
  const stored = await trx('totp')
    .insert({ ...keyOf(owner), encryptedSecret, enrolledAt: now })
    .onConflict(['organizationId', 'userId'])
    .merge(['encryptedSecret', 'enrolledAt'])
    .whereNull('totp.confirmedAt')
    .returning('userId');
  if (stored.length === 0) throw alreadyConfirmed();
  return { secret, otpauthUrl: otpauthUrl(secret, email ?? String(userId)) };
}

/** PERMISSION_DENIED for everybody else. */
export function requireAdministrator({ primaryPersona }: Pick<FactorOwner, 'primaryPersona'>): void {
  if (primaryPersona !== 'ADMIN') throw denied('A second factor is for administrators.');
}

const alreadyConfirmed = () => conflict('already_confirmed', 'The second factor is in use; disable it first.');
const notEnrolled = () => conflict('not_enrolled', 'There is no second factor to work with; enroll first.');

/** The codes for the day on which the device is lost, shown this once. The code of the confirmation is spent. */
export async function confirmSecondFactor(
  { trx, cipher, now }: Unit,
  owner: FactorOwner,
  { code, sessionId }: { code: string; sessionId: string },
): Promise<string[]> {
  const row = await lockedRow(trx, owner);
  if (!row) throw notEnrolled();
  if (row.confirmedAt) throw alreadyConfirmed();
  if (!(await spendStep({ trx, cipher, now }, owner, row, code))) throw invalid('code', 'wrong_code');
  await trx('totp').where(keyOf(owner)).update({ confirmedAt: now, confirmedSessionId: sessionId });
  const codes = Array.from({ length: recoveryCodes }, drawRecoveryCode);
  await trx('totp_recovery_code').insert(
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

const recoveryText = (userId: number, code: string) => `${userId}:${code.replaceAll(/[\s-]/g, '').toLowerCase()}`;

/** `none`: the account has no second factor in use; `recovered`: shown by a recovery code. */
export type FactorShown = 'none' | 'shown' | 'recovered' | 'missing' | 'wrong';

/** Spends the code: of several logins with one code at most one is `shown`, or `recovered`. */
export async function showSecondFactor(unit: Unit, owner: FactorKey, code: string | undefined): Promise<FactorShown> {
  const row: TotpRow | undefined = await unit.trx('totp').where(keyOf(owner)).whereNotNull('confirmedAt').first();
  if (!row) return 'none';
  if (code === undefined) return 'missing';
  if (await spendStep(unit, owner, row, code)) return 'shown';
  return (await spendRecoveryCode(unit, owner, code)) ? 'recovered' : 'wrong';
}

async function spendStep({ trx, cipher, now }: Unit, owner: FactorKey, row: TotpRow, code: string): Promise<boolean> {
  const step = stepOfCode(cipher.decrypt(row.encryptedSecret, cipherContext(owner.id)), code, now);
  if (step === undefined) return false;
  await trx('totp_spent_code')
    .where(keyOf(owner))
    .where('step', '<', step - skippedSteps)
    .delete();
  const spent = await trx('totp_spent_code')
    .insert({ ...keyOf(owner), step })
    .onConflict()
    .ignore()
    .returning('step');
  return spent.length === 1;
}

async function spendRecoveryCode({ trx, cipher }: Unit, owner: FactorKey, code: string): Promise<boolean> {
  const hashes = cipher.keyedHashes('recovery_code', recoveryText(owner.id, code));
  return (
    (await trx('totp_recovery_code')
      .where(keyOf(owner))
      .whereIn('codeHash', [...hashes])
      .delete()) === 1
  );
}

/** CONFLICT `not_enrolled` where there is none in use. */
export async function requireFactorInUse(trx: Trx, person: FactorKey): Promise<void> {
  if (!(await lockedRow(trx, person))?.confirmedAt) throw notEnrolled();
}

/** All that belongs to it goes: also for whoever lets a person in who has lost the device. True where there was one. */
export async function removeSecondFactor(trx: Trx, person: FactorKey): Promise<boolean> {
  const there = await trx('totp').where(keyOf(person)).delete();
  for (const table of ['totp_spent_code', 'totp_recovery_code']) await trx(table).where(keyOf(person)).delete();
  return there > 0;
}
