// Whose account an identity at the provider is. Nobody gets an account this way who does not have one.

import type { Trx } from '#core/platform/db.ts';
import { denied } from '#core/platform/errors.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { Persona } from '../records/permissions.ts';
import { ownerOfName, type UserKey } from '../records/sign-in-names.ts';
import { lockAccount } from '../records/users.ts';
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
 * By the subject, which a roster import or an earlier sign-in has linked, else by e-mail, which links the subject: an
 * address that is given to somebody else at the provider is somebody else. PERMISSION_DENIED for everybody else: unknown,
 * closed, a student without a link, or an account of a domain that the organization does not accept.
 */
export async function accountOf(trx: Trx, identity: ProviderIdentity, now: Date): Promise<Account> {
  const link = await trx('external_identity')
    .where({ provider, subject: identity.subject })
    .first('organizationId', 'userId');
  const account = await (link ? accountById(trx, link) : accountByEmail(trx, identity.email));
  if (!account || !domainAccepted(account, identity)) throw notHere();
  if (!link) await rememberSubject(trx, account, identity.subject, now);
  return account;
}

const notHere = () => denied('This account cannot sign in here.');

/** An account takes one subject this way; two first sign-ins at once take turns. */
async function rememberSubject(trx: Trx, account: Account, subject: string, now: Date): Promise<void> {
  const userId = account.id;
  const organizationId = storedOrganization(account.organizationId);
  await lockAccount(trx, account, 'change');
  const known = await trx('external_identity').where({ organizationId, provider, userId }).select('subject');
  if (known.some((row) => row.subject === subject)) return;
  if (known.length > 0) throw notHere();
  await trx('external_identity').insert({ organizationId, userId, provider, subject, byEmail: true, createdAt: now });
}

/** An administrator has given the account another address: the next first sign-in by it counts again. */
export async function removeExternalSubject(trx: Trx, { id, organizationId }: Person): Promise<void> {
  await trx('external_identity')
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
  const name = await ownerOfName(trx, email);
  const account = name && (await accountById(trx, name));
  return account?.primaryPersona === 'STUDENT' ? undefined : account;
}

/** An empty list accepts any account; people without an organization (SUPER) are not bound by one. */
function domainAccepted({ allowedGoogleDomains }: Account, { hostedDomain, email }: ProviderIdentity): boolean {
  if (allowedGoogleDomains === null || allowedGoogleDomains.length === 0) return true;
  const domain = hostedDomain ?? email?.split('@')[1];
  return domain !== undefined && allowedGoogleDomains.includes(domain);
}
