// A new password for one's own account, for who knows the old one. A stolen access token does not suffice, and cannot be
// used to guess the old password faster than a login could.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { claimOwnAttempt } from '../attempts/own-attempt.ts';
import { type PutChange, stillMatches } from '../credentials/own-password.ts';
import { requireFitPassword } from '../credentials/passwords.ts';
import { User } from '../records/users.ts';
import { revokeAllOf } from '../sessions/sessions.ts';
import { spendRecovery } from './recovery.ts';

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
}

const wrongPassword = () => new AppError('INVALID_CREDENTIALS', 'The current password is wrong.');

/** INVALID_CREDENTIALS, BRUTE_FORCE_LOCKED. The code of a recovery link stands for the old password, once. All other sessions of the account end. */
export async function changePassword(
  caller: { services: Services; trx: Trx; actor: Actor; clientIp: string; now: Date },
  change: PasswordChange,
  put: PutChange,
): Promise<void> {
  const { trx, actor, now } = caller;
  const { userId: id, organizationId } = actor;
  const before = await User.query(trx).findById(id);
  const attempt = await claimOwnAttempt(caller, { id, organizationId, email: before?.email ?? null });
  const user = await User.query(trx).findById(id);
  const matches = stillMatches(user, put) || (await spendRecovery(trx, actor.userId, change.currentPassword, now));
  if (!user || !matches) throw await attempt.refused(wrongPassword());
  requireFitPassword(change.newPassword, user, 'newPassword');
  await attempt.passed();
  await User.query(trx).findById(actor.userId).patch({ passwordHash: put.newHash });
  await revokeAllOf(trx, actor.userId, 'password_change', now, actor.sessionId);
}
