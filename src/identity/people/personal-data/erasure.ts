// Erasure of a person: name, addresses, codes, links and roles are removed; measurements remain under an anonymous id.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, notFound } from '#core/platform/errors.ts';
import { purgeAnswersAbout } from '#core/platform/idempotency.ts';
import { lockRows } from '#core/platform/locks.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { requireAnotherSuper } from '../accounts/last-super.ts';
import { revokeAllOf } from '../auth-sessions/auth-sessions.ts';
import { detachFromAll } from '../classes/class-teachers.ts';
import { endEnrollment } from '../classes/enrollment.ts';
import type { identityProviders } from '../records/enums.ts';
import { ParentStudent, PrincipalSchool } from '../records/organizations.ts';
import { setSignInEmail } from '../records/sign-in-names.ts';
import { ExternalIdentity, QuickCode, User } from '../records/users.ts';

/** Called in the transaction of the erasure, when the student's row is locked and marked as deleted. */
export type StudentForgotten = (
  trx: Trx,
  student: { readonly id: number; readonly organizationId: string },
) => Promise<void>;

/** Called in the transaction of the erasure for an account of any persona, when its row is locked and marked as deleted. */
export type AccountForgotten = (
  trx: Trx,
  account: { readonly id: number; readonly organizationId: string },
  by: {
    readonly services: Services;
    readonly now: Date;
    /** The person's subjects at identity providers; the links are already deleted. */
    readonly identities: readonly FormerIdentity[];
  },
) => Promise<void>;

interface FormerIdentity {
  readonly provider: (typeof identityProviders)[number];
  readonly subject: string;
}

/** Tables of secrets and identities with which a person signs in, besides the password; in lock order. */
const signInTables = [
  'handoff_code',
  'external_identity',
  'totp',
  'password_recovery',
  'totp_spent_code',
  'totp_recovery_code',
] as const;

interface ErasedPerson {
  /** The person's account, and those of a student that were merged into it. */
  readonly accountIds: readonly number[];
  /** The person's subjects at identity providers. */
  readonly identities: readonly FormerIdentity[];
}

/**
 * Erases a person irreversibly, with the accounts that were merged into the person's. Throws CONFLICT for the last administrator of
 * an organization or of the service, and NOT_FOUND when the person was already erased. The lock on the person's row is
 * taken first: enrolling, linking and changing take it too, so they run entirely before or after the erasure.
 */
export async function erasePerson(trx: Trx, person: User, now: Date): Promise<ErasedPerson> {
  const { id } = person;
  await requireAnotherSuper(trx, person);
  await requireAnotherAdmin(trx, person);
  const accountIds = await lockAccountsOf(trx, person);
  await removeLinks(trx, person, now);
  await setSignInEmail(trx, person, null);
  await QuickCode.query(trx).where({ studentId: id }).delete();
  const identities: FormerIdentity[] = await ExternalIdentity.query(trx)
    .where({ organizationId: storedOrganization(person.organizationId), userId: id })
    .select('provider', 'subject');
  for (const table of signInTables) await trx(table).whereIn('userId', accountIds).delete();
  await revokeAllOf(trx, id, 'erased', now);
  for (const account of accountIds) await purgeAnswersAbout(trx, account);
  await User.query(trx).whereIn('id', accountIds).patch({
    status: 'deleted',
    mergedIntoId: null,
    email: null,
    fullNameAr: null,
    passwordHash: null,
    externalId: null,
    locale: null,
    seats: [],
  });
  return { accountIds, identities };
}

/** All are locked at once, in the order of their ids. A merged account has no link, class or identity of its own. */
async function lockAccountsOf(trx: Trx, { id, organizationId, primaryPersona }: User): Promise<number[]> {
  const living = User.query(trx).whereNot({ status: 'deleted' }).orderBy('id');
  const own =
    primaryPersona === 'STUDENT'
      ? living.where({ organizationId }).where((one) => one.where({ id }).orWhere({ mergedIntoId: id }))
      : living.where({ id });
  const ids = (await lockRows('account', 'remove', own)).map((account) => account.id);
  if (!ids.includes(id)) throw notFound();
  return [id, ...ids.filter((account) => account !== id)];
}

/** Locks all active administrators, so that of two who erase each other the second is refused. */
async function requireAnotherAdmin(trx: Trx, { id, organizationId, scope, primaryPersona }: User): Promise<void> {
  if (primaryPersona !== 'ADMIN' || scope === 'SUPER') return;
  const all = User.query(trx).where({ organizationId, primaryPersona, status: 'active' }).orderBy('id');
  const active = await lockRows('account', 'remove', all);
  if (active.some((admin) => admin.id !== id)) return;
  throw conflict('last_admin', 'This is the last active administrator of the organization. Create another one first.');
}

async function removeLinks(trx: Trx, { id, organizationId }: User, now: Date): Promise<void> {
  await detachFromAll(trx, id);
  await PrincipalSchool.query(trx).where({ principalUserId: id }).delete();
  if (organizationId !== null) await endEnrollment(trx, { id, organizationId }, now);
  await ParentStudent.query(trx).where({ studentId: id }).orWhere({ parentUserId: id }).delete();
}
