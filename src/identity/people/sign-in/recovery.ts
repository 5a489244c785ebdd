// Recovery of an account whose password is lost: a link created by an operator with database access. Its code signs in once
// and replaces the old password once.

import type { Config } from '#core/platform/config/config.ts';
import type { Trx } from '#core/platform/db.ts';
import { newSecret } from '#core/platform/ids.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { ownAddress } from '../auth-sessions/own-address.ts';
import { removeExternalSubject } from '../google/external-identity.ts';
import { normalEmail, setSignInEmail } from '../records/sign-in-names.ts';
import { lockAccount, PasswordRecovery, User } from '../records/users.ts';
import { recordFactorRemoved } from '../second-factor/events.ts';
import { removeSecondFactor } from '../second-factor/second-factor.ts';
import { userByEmail } from './sign-in.ts';

const linkLifeMs = 15 * minuteMs;

export interface RecoveryInput {
  readonly email: string;
  /** True when the device and the recovery codes are lost too. */
  readonly removeSecondFactor: boolean;
  /** A new address for the account when the mailbox is lost too. */
  readonly newEmail?: string;
}

export interface RecoveryLink {
  readonly code: string;
  readonly link: string;
  readonly expiresAt: string;
}

/**
 * Creates a link and invalidates earlier ones. Returns undefined when no active account has this address. Throws
 * EMAIL_EXISTS when the new address is in use.
 */
export async function createRecoveryLink(
  trx: Trx,
  config: Pick<Config, 'frontendUrl' | 'publicUrl' | 'host' | 'port'>,
  input: RecoveryInput,
  now: Date,
): Promise<RecoveryLink | undefined> {
  const user = await userByEmail(trx, input.email);
  if (user?.status !== 'active') return undefined;
  await lockAccount(trx, user, 'change');
  if (input.newEmail !== undefined) await changeEmail(trx, user, input.newEmail);
  if (input.removeSecondFactor && (await removeSecondFactor(trx, user))) await recordFactorRemoved(trx, user, now);
  const code = newSecret();
  const expiresAt = new Date(now.getTime() + linkLifeMs);
  const person = { organizationId: storedOrganization(user.organizationId), userId: user.id };
  for (const table of ['handoff_code', 'password_recovery']) {
    await trx(table).where(person).delete();
    const origin = table === 'handoff_code' ? { openedBy: 'other' } : {};
    await trx(table).insert({ ...person, ...origin, codeHash: sha256Hex(code), expiresAt });
  }
  const base = (config.frontendUrl ?? ownAddress(config)).replace(/(?<!\/)\/+$/, '');
  return { code, link: `${base}/auth/callback?code=${code}`, expiresAt: expiresAt.toISOString() };
}

/** Changes the address and removes the link to the provider's identity with the old address. */
async function changeEmail(trx: Trx, user: User, newEmail: string): Promise<void> {
  const email = normalEmail(newEmail);
  await setSignInEmail(trx, user, email);
  await removeExternalSubject(trx, user);
  await User.query(trx).findById(user.id).patch({ email });
}

/** Spends the code of a recovery link; returns true once for a valid code of this account. */
export async function spendRecoveryLink(trx: Trx, userId: number, code: string, now: Date): Promise<boolean> {
  const spent = await PasswordRecovery.query(trx)
    .where({ userId, codeHash: sha256Hex(code) })
    .where('expiresAt', '>', now)
    .delete();
  return spent === 1;
}
