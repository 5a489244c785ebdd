// An administrator changes an account. What would hand an account over to somebody else is for its owner to do.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, denied, invalid } from '#core/platform/errors.ts';
import { requireFitPassword } from '../credentials/passwords.ts';
import { removeExternalSubject } from '../google/external-identity.ts';
import { nameForSignIn, normalEmail } from '../records/sign-in-names.ts';
import { User } from '../records/users.ts';
import { proveOwner, wrongPassword } from '../second-factor/owner.ts';
import { revokeAllOf } from '../sessions/sessions.ts';
import { givingEmail } from './email-conflicts.ts';
import { type Caller, hashOfNewPassword, requireLiving, setSchools, uniqueRefusal } from './users.ts';

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

/** What was worked out while no transaction was open. */
export interface PreparedUpdate {
  /** Of the change's password. */
  readonly passwordHash: string | undefined;
  /** The stored hash of the password that the owner of the account has proven to know. */
  readonly provenHash: string | null | undefined;
}

interface Preparing extends Pick<Caller, 'actor' | 'now'> {
  readonly services: Services;
  readonly clientIp: string;
}

/** Throws what `requireOwnMatters` and `proveOwner` throw. */
export function prepareUpdate(
  caller: Preparing,
  user: User,
  change: UserChange & Proofs,
): () => Promise<PreparedUpdate> {
  requireOwnMatters(caller, user, change);
  const isProof = user.scope === 'SUPER' && change.email !== undefined;
  return async () => {
    if (isProof) {
      const proof = { password: change.currentPassword, totp: change.totp, clientIp: caller.clientIp };
      await proveOwner(caller.services, user, proof, caller.now);
    }
    const passwordHash = await hashOfNewPassword(change.password);
    return { passwordHash, provenHash: isProof ? user.passwordHash : undefined };
  };
}

/**
 * PERMISSION_DENIED where somebody would set the password of a SUPER administrator here, or the address of another one or
 * without the own password; `own_seat` where somebody would take a seat.
 */
function requireOwnMatters({ actor }: Pick<Caller, 'actor'>, user: User, change: UserChange & Proofs): void {
  const isOwn = user.id === actor.userId;
  if (user.scope === 'SUPER') {
    if (change.password !== undefined) throw denied('A SUPER administrator sets the own password.');
    if (change.email !== undefined && !(isOwn && change.currentPassword !== undefined))
      throw denied('A SUPER administrator changes the own address, with currentPassword.');
  }
  if (isOwn && change.seats?.some((seat) => !user.seats.includes(seat))) throw ownSeat();
}

const ownSeat = () =>
  new AppError('PERMISSION_DENIED', 'Somebody else gives you a seat.', {
    details: [{ field: 'seats', issue: 'own_seat' }],
  });

/** A new password ends the user's sessions. Seats are for ADMIN users, schools for principals. */
export function updateUser(caller: Caller, user: User, change: UserChange, prepared: PreparedUpdate): Promise<User> {
  if (prepared.provenHash !== undefined && prepared.provenHash !== user.passwordHash) throw wrongPassword();
  if (change.email === undefined) return applyChange(caller, user, change, prepared);
  return givingEmail(caller, change.email, (trx) => applyChange({ ...caller, trx }, user, change, prepared));
}

async function applyChange(
  { trx, now }: Caller,
  user: User,
  change: UserChange,
  { passwordHash }: PreparedUpdate,
): Promise<User> {
  await requireLiving(trx, user);
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
    await nameForSignIn(trx, user, patch.email);
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
