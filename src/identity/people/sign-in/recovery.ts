// The way back into an account whose password is lost and which nobody else may touch: a link that the database's owner
// makes. It signs in once, and in its place of the old password sets a new one once.

import type { Config } from '#core/platform/config/config.ts';
import type { Trx } from '#core/platform/db.ts';
import { newSecret } from '#core/platform/ids.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { removeExternalSubject } from '../google/external-identity.ts';
import { nameForSignIn, normalEmail } from '../records/sign-in-names.ts';
import { lockAccount, User } from '../records/users.ts';
import { recordFactorRemoved } from '../second-factor/events.ts';
import { removeSecondFactor } from '../second-factor/second-factor.ts';
import { ownAddress } from '../sessions/own-address.ts';
import { userByEmail } from './sign-in.ts';

const linkLifeMs = 15 * minuteMs;

export interface RecoveryInput {
  readonly email: string;
  /** The device and the recovery codes are lost too. */
  readonly removeSecondFactor: boolean;
  /** The mailbox is lost too: the account signs in with this address from now on. */
  readonly newEmail?: string;
}

export interface RecoveryLink {
  readonly code: string;
  readonly link: string;
  readonly expiresAt: string;
}

/** undefined: no active account has this address. Links made before are dead. EMAIL_EXISTS for a new address in use. */
export async function makeRecoveryLink(
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

/** Whoever held the old address at the provider is nobody here any more. */
async function changeEmail(trx: Trx, user: User, newEmail: string): Promise<void> {
  const email = normalEmail(newEmail);
  await nameForSignIn(trx, user, email);
  await removeExternalSubject(trx, user);
  await User.query(trx).findById(user.id).patch({ email });
}

/** True, once, for the code of a link of this account. */
export async function spendRecovery(trx: Trx, userId: number, code: string, now: Date): Promise<boolean> {
  const spent = await trx('password_recovery')
    .where({ userId, codeHash: sha256Hex(code) })
    .where('expiresAt', '>', now)
    .delete();
  return spent === 1;
}
