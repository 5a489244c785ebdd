// Maps an identity at the provider to an existing account. No account is created.

import type { Trx } from '#core/platform/db.ts';
import { denied } from '#core/platform/errors.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { Persona } from '../records/permissions.ts';
import { findSignInOwner, type UserKey } from '../records/sign-in-names.ts';
import { ExternalIdentity, lockAccount } from '../records/users.ts';
import type { ProviderIdentity } from './client.ts';

const provider = 'google';

type Person = Pick<Account, 'id' | 'organizationId'>;

interface Account {
  readonly id: number;
  readonly organizationId: string | null;
  readonly primaryPersona: Persona;
  readonly allowedGoogleDomains: string[] | null;
}

/**
 * Finds the account by the subject, which a roster import or an earlier sign-in has linked, otherwise by e-mail address,
 * and then links the subject: if the provider reassigns the address, the new subject does not get the account. Throws
 * PERMISSION_DENIED for unknown and closed accounts, students without a link, and domains that the organization refuses.
 */
export async function findLinkedAccount(trx: Trx, identity: ProviderIdentity, now: Date): Promise<Account> {
  const link = await ExternalIdentity.query(trx)
    .where({ provider, subject: identity.subject })
    .select('organizationId', 'userId')
    .first();
  const account = await (link ? accountById(trx, link) : accountByEmail(trx, identity.email));
  if (!account || !domainAccepted(account, identity)) throw cannotSignInHere();
  if (!link) await linkSubject(trx, account, identity.subject, now);
  return account;
}

const cannotSignInHere = () => denied('This account cannot sign in here.');

/** Links one subject per account; the lock on the account serializes concurrent first sign-ins. */
async function linkSubject(trx: Trx, account: Account, subject: string, now: Date): Promise<void> {
  const userId = account.id;
  const organizationId = storedOrganization(account.organizationId);
  await lockAccount(trx, account, 'change');
  const known = await ExternalIdentity.query(trx).where({ organizationId, provider, userId }).select('subject');
  if (known.some((row) => row.subject === subject)) return;
  if (known.length > 0) throw cannotSignInHere();
  const createdAt = now.toISOString();
  await ExternalIdentity.query(trx).insert({ organizationId, userId, provider, subject, byEmail: true, createdAt });
}

/** Removes the link after a change of the e-mail address; the next sign-in by the new address links again. */
export async function removeExternalSubject(trx: Trx, { id, organizationId }: Person): Promise<void> {
  await ExternalIdentity.query(trx)
    .where({ organizationId: storedOrganization(organizationId), provider, userId: id, byEmail: true })
    .delete();
}

const accounts = (trx: Trx) =>
  trx('app_user as u')
    .leftJoin('organization as o', 'o.id', 'u.organizationId')
    .where('u.status', 'active')
    .select('u.id', 'u.organizationId', 'u.primaryPersona', 'o.allowedGoogleDomains');

const accountById = (trx: Trx, { organizationId, userId }: UserKey): Promise<Account | undefined> =>
  accounts(trx)
    .where({ 'u.organizationId': storedOrganization(organizationId), 'u.id': userId })
    .first();

async function accountByEmail(trx: Trx, email: string | undefined): Promise<Account | undefined> {
  if (email === undefined) return undefined;
  const name = await findSignInOwner(trx, email);
  const account = name && (await accountById(trx, name));
  return account?.primaryPersona === 'STUDENT' ? undefined : account;
}

/** An empty list accepts any account. Accounts without an organization (SUPER) are not restricted. */
function domainAccepted({ allowedGoogleDomains }: Account, { hostedDomain, email }: ProviderIdentity): boolean {
  if (allowedGoogleDomains === null || allowedGoogleDomains.length === 0) return true;
  const domain = hostedDomain ?? email?.split('@')[1];
  return domain !== undefined && allowedGoogleDomains.includes(domain);
}
