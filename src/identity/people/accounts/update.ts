// Changes of an account by an administrator. A change that would hand a SUPER account over is reserved for its owner.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, denied, invalid } from '#core/platform/errors.ts';
import { revokeAllOf } from '../auth-sessions/auth-sessions.ts';
import { requireFitPassword } from '../credentials/passwords.ts';
import { removeExternalSubject } from '../google/external-identity.ts';
import { normalEmail, setSignInEmail } from '../records/sign-in-names.ts';
import { User } from '../records/users.ts';
import { proveOwner, wrongPassword } from '../second-factor/prove-owner.ts';
import { withEmailConflictLimit } from './email-conflicts.ts';
import { type Caller, hashNewPassword, lockLivingAccount, setSchools, uniqueRefusal } from './users.ts';

export interface UserChange {
  readonly fullNameAr?: string;
  readonly email?: string;
  readonly password?: string;
  readonly locale?: string;
  readonly seats?: string[];
  readonly schoolIds?: string[];
}

interface Proofs {
  readonly currentPassword?: string;
  readonly totp?: string;
}

/** The results of hashing, which runs while no transaction is open. */
export interface PreparedUpdate {
  /** The hash of the new password. */
  readonly passwordHash: string | undefined;
  /** The stored hash that the owner's current password was verified against. */
  readonly provenHash: string | null | undefined;
}

interface PrepareContext extends Pick<Caller, 'actor' | 'now'> {
  readonly services: Services;
  readonly clientIp: string;
}

/** Throws the errors of `requireOwnerRules`; the returned function throws those of `proveOwner`. */
export function prepareUpdate(
  caller: PrepareContext,
  user: User,
  change: UserChange & Proofs,
): () => Promise<PreparedUpdate> {
  requireOwnerRules(caller, user, change);
  const isProof = user.scope === 'SUPER' && change.email !== undefined;
  return async () => {
    if (isProof) {
      const proof = { password: change.currentPassword, totp: change.totp, clientIp: caller.clientIp };
      await proveOwner(caller.services, user, proof, caller.now);
    }
    const passwordHash = await hashNewPassword(change.password);
    return { passwordHash, provenHash: isProof ? user.passwordHash : undefined };
  };
}

/**
 * Throws PERMISSION_DENIED for a new password of a SUPER administrator, for a new address of one unless it is the caller's
 * own and `currentPassword` is sent, and (`own_seat`) when callers give themselves a role in `seats`.
 */
function requireOwnerRules({ actor }: Pick<Caller, 'actor'>, user: User, change: UserChange & Proofs): void {
  const isOwn = user.id === actor.userId;
  if (user.scope === 'SUPER') {
    if (change.password !== undefined) throw denied('A SUPER administrator sets the own password.');
    if (change.email !== undefined && !(isOwn && change.currentPassword !== undefined))
      throw denied('A SUPER administrator changes the own address, with currentPassword.');
  }
  if (isOwn && change.seats?.some((seat) => !user.seats.includes(seat))) throw ownSeatDenied();
}

const ownSeatDenied = () =>
  new AppError('PERMISSION_DENIED', 'You cannot give yourself a role. Ask another administrator.', {
    details: [{ field: 'seats', issue: 'own_seat' }],
  });

/** A new password ends the user's sessions. Only ADMIN users have `seats`, only principals have schools. */
export function updateUser(caller: Caller, user: User, change: UserChange, prepared: PreparedUpdate): Promise<User> {
  if (prepared.provenHash !== undefined && prepared.provenHash !== user.passwordHash) throw wrongPassword();
  if (change.email === undefined) return applyChange(caller, user, change, prepared);
  return withEmailConflictLimit(caller, change.email, (trx) => applyChange({ ...caller, trx }, user, change, prepared));
}

async function applyChange(
  { trx, now }: Caller,
  user: User,
  change: UserChange,
  { passwordHash }: PreparedUpdate,
): Promise<User> {
  await lockLivingAccount(trx, user);
  const { password, schoolIds, email, ...fields } = change;
  if (password !== undefined) requireFitPassword(password, { ...user, email: email ?? user.email });
  if (fields.seats && user.primaryPersona !== 'ADMIN') throw invalid('seats', 'is only for an ADMIN');
  if (schoolIds) await changeSchools(trx, user, schoolIds);
  const patch = {
    ...fields,
    ...(email !== undefined && { email: normalEmail(email) }),
    ...(passwordHash !== undefined && { passwordHash }),
  };
  if (patch.email !== undefined && patch.email !== user.email) {
    await setSignInEmail(trx, user, patch.email);
    await removeExternalSubject(trx, user);
  }
  if (password !== undefined) await revokeAllOf(trx, user.id, 'password_change', now);
  if (Object.keys(patch).length === 0) return user;
  try {
    return await User.query(trx).patchAndFetchById(user.id, patch);
  } catch (error) {
    throw uniqueRefusal(error);
  }
}

async function changeSchools(trx: Trx, user: User, schoolIds: readonly string[]): Promise<void> {
  const { id, organizationId, primaryPersona } = user;
  if (primaryPersona !== 'PRINCIPAL' || organizationId === null) throw invalid('schoolIds', 'is only for a PRINCIPAL');
  await setSchools(trx, { id, organizationId }, schoolIds);
}
