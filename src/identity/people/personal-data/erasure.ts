// Forgetting a person: name, addresses, codes, links and seats go; measurements stay under an id that names nobody.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, notFound } from '#core/platform/errors.ts';
import { purgeAnswersAbout } from '#core/platform/idempotency.ts';
import { lockRows } from '#core/platform/locks.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { requireAnotherSuper } from '../accounts/last-super.ts';
import { detachFromAll } from '../classes/class-teachers.ts';
import { appendEnrollmentChanges } from '../classes/enrollment.ts';
import type { identityProviders } from '../records/enums.ts';
import { Enrollment, Organization, ParentStudent, PrincipalSchool } from '../records/organizations.ts';
import { nameForSignIn } from '../records/sign-in-names.ts';
import { User } from '../records/users.ts';
import { revokeAllOf } from '../sessions/sessions.ts';

/** Called with a student whose row is locked and says that the person is gone. */
export type StudentForgotten = (
  trx: Trx,
  student: { readonly id: number; readonly organizationId: string },
) => Promise<void>;

/** Called with an account of an organization, whatever its persona, whose row is locked and says that the person is gone. */
export type AccountForgotten = (
  trx: Trx,
  account: { readonly id: number; readonly organizationId: string },
  by: {
    readonly services: Services;
    readonly now: Date;
    /** What providers called the person; the links themselves are gone. */
    readonly identities: readonly FormerIdentity[];
  },
) => Promise<void>;

interface FormerIdentity {
  readonly provider: (typeof identityProviders)[number];
  readonly subject: string;
}

/** Secrets and identities with which the person signs in, beside the password; in the order of their locks. */
const waysIn = [
  'handoff_code',
  'external_identity',
  'totp',
  'password_recovery',
  'totp_spent_code',
  'totp_recovery_code',
] as const;

/**
 * Cannot be undone. CONFLICT for the last administrator of an organization or of the service; NOT_FOUND where somebody
 * else has erased the person meanwhile. The lock on the person's row comes first: what would enroll, link or change this
 * person takes it too, and so comes wholly before or wholly after. Answers who the person was to providers.
 */
export async function erasePerson(trx: Trx, person: User, now: Date): Promise<readonly FormerIdentity[]> {
  const { id } = person;
  await requireAnotherSuper(trx, person);
  await requireAnotherAdmin(trx, person);
  const living = User.query(trx).findById(id).whereNot({ status: 'deleted' });
  if (!(await lockRows('account', 'remove', living))) throw notFound();
  await removeLinks(trx, person, now);
  await nameForSignIn(trx, person, null);
  await trx('quick_code').where({ studentId: id }).delete();
  const identities: FormerIdentity[] = await trx('external_identity')
    .where({ organizationId: storedOrganization(person.organizationId), userId: id })
    .select('provider', 'subject');
  for (const table of waysIn) await trx(table).where({ userId: id }).delete();
  await revokeAllOf(trx, id, 'erased', now);
  await purgeAnswersAbout(trx, id);
  await User.query(trx).findById(id).patch({
    status: 'deleted',
    email: null,
    fullNameAr: null,
    passwordHash: null,
    externalId: null,
    locale: null,
    seats: [],
  });
  return identities;
}

/** Two administrators who erase each other take turns: the second finds itself alone. */
async function requireAnotherAdmin(trx: Trx, { id, organizationId, scope, primaryPersona }: User): Promise<void> {
  if (primaryPersona !== 'ADMIN' || scope === 'SUPER') return;
  const all = User.query(trx).where({ organizationId, primaryPersona, status: 'active' }).orderBy('id');
  const active = await lockRows('account', 'remove', all);
  if (active.some((admin) => admin.id !== id)) return;
  throw conflict('last_admin', 'This is the last active administrator of the organization; make another one first.');
}

async function removeLinks(trx: Trx, { id, organizationId }: User, now: Date): Promise<void> {
  await detachFromAll(trx, id);
  await PrincipalSchool.query(trx).where({ principalUserId: id }).delete();
  if (organizationId !== null) await endEnrollment(trx, { id, organizationId }, now);
  await ParentStudent.query(trx).where({ studentId: id }).orWhere({ parentUserId: id }).delete();
}

interface Tenant {
  readonly id: number;
  readonly organizationId: string;
}

async function endEnrollment(trx: Trx, { id, organizationId }: Tenant, now: Date): Promise<void> {
  const current = Enrollment.query(trx).findOne({ studentId: id }).whereNull('enrolledTo');
  const open = await lockRows('enrollment', 'change', current);
  if (!open) return;
  const { timeZone } = await Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound();
  const today = localDate(now, timeZone);
  const enrolledTo = today > open.enrolledFrom ? today : open.enrolledFrom;
  await Enrollment.query(trx).findById(open.id).patch({ enrolledTo });
  await appendEnrollmentChanges(trx, organizationId, [id], now);
}
