// Whose account an identity at the provider is. Nobody gets an account this way who does not have one.
import type { Trx } from '../platform/db.ts';
import { denied } from '../platform/errors.ts';
import type { ProviderIdentity } from './google-client.ts';
import type { Persona } from './permissions.ts';

const provider = 'google';

interface Account {
  readonly id: number;
  readonly organizationId: string | null;
  readonly primaryPersona: Persona;
  readonly allowedGoogleDomains: string[] | null;
}

/**
 * By a link that a roster import made, else by verified e-mail. PERMISSION_DENIED for everybody else: unknown, closed,
 * a student without a link, or an account of a domain that the organization does not accept.
 */
export async function accountOf(trx: Trx, identity: ProviderIdentity): Promise<Account> {
  const account = (await linkedAccount(trx, identity.subject)) ?? (await accountByEmail(trx, identity.email));
  if (!account || !domainAccepted(account, identity)) throw denied('This account cannot sign in here.');
  return account;
}

const accounts = (trx: Trx) =>
  trx('app_user as u')
    .leftJoin('organization as o', 'o.id', 'u.organizationId')
    .where('u.status', 'active')
    .select('u.id', 'u.organizationId', 'u.primaryPersona', 'o.allowedGoogleDomains');

function linkedAccount(trx: Trx, subject: string): Promise<Account | undefined> {
  return accounts(trx)
    .join('external_identity as x', 'x.userId', 'u.id')
    .where({ 'x.provider': provider, 'x.subject': subject })
    .first();
}

async function accountByEmail(trx: Trx, email: string | undefined): Promise<Account | undefined> {
  if (email === undefined) return undefined;
  const account: Account | undefined = await accounts(trx).whereRaw('lower(u.email) = ?', [email]).first();
  return account?.primaryPersona === 'STUDENT' ? undefined : account;
}

/** An empty list accepts any account; people without an organization (SUPER) are not bound by one. */
function domainAccepted({ allowedGoogleDomains }: Account, { hostedDomain, email }: ProviderIdentity): boolean {
  if (allowedGoogleDomains === null || allowedGoogleDomains.length === 0) return true;
  const domain = hostedDomain ?? email?.split('@')[1];
  return domain !== undefined && allowedGoogleDomains.includes(domain);
}
