// Change of the caller's own password, which requires the old one. A stolen access token does not suffice and does not allow
// faster guessing than the login.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { claimOwnAttempt } from '../attempts/own-attempt.ts';
import { revokeAllOf } from '../auth-sessions/auth-sessions.ts';
import { isProofValid, type PasswordChangeProof } from '../credentials/own-password.ts';
import { requireFitPassword } from '../credentials/passwords.ts';
import { User } from '../records/users.ts';
import { spendRecoveryLink } from './recovery.ts';

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
}

const wrongPassword = () => new AppError('INVALID_CREDENTIALS', 'The current password is wrong.');

/**
 * Sets the new password and ends all other sessions of the account. The code of a recovery link replaces the old password
 * once. Throws INVALID_CREDENTIALS and BRUTE_FORCE_LOCKED.
 */
export async function changePassword(
  caller: { services: Services; trx: Trx; actor: Actor; clientIp: string; now: Date },
  change: PasswordChange,
  proof: PasswordChangeProof,
): Promise<void> {
  const { trx, actor, now } = caller;
  const { userId: id, organizationId } = actor;
  const before = await User.query(trx).findById(id);
  const attempt = await claimOwnAttempt(caller, { id, organizationId, email: before?.email ?? null });
  const user = await User.query(trx).findById(id);
  const matches =
    isProofValid(user, proof) || (await spendRecoveryLink(trx, actor.userId, change.currentPassword, now));
  if (!user || !matches) throw await attempt.committedRefusal(wrongPassword());
  requireFitPassword(change.newPassword, user, 'newPassword');
  await attempt.recordSuccess();
  await User.query(trx).findById(actor.userId).patch({ passwordHash: proof.newHash });
  await revokeAllOf(trx, actor.userId, 'password_change', now, actor.sessionId);
}
