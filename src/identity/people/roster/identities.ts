// Links of a roster's accounts to identities at providers, many per statement.

import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { ExternalIdentity } from '../records/users.ts';
import { UniquenessConflict } from './accounts.ts';

interface ProviderKey {
  readonly organizationId: string;
  readonly provider: 'google' | 'oneroster';
}

export interface IdentityLink {
  readonly userId: number;
  readonly subject: string;
}

/** Selects those of the given links that still exist with the same account. */
const linksOf = (trx: Trx, { organizationId, provider }: ProviderKey, people: readonly IdentityLink[]) =>
  ExternalIdentity.query(trx)
    .where({ organizationId, provider })
    .whereInComposite(
      ['subject', 'userId'],
      people.map(({ subject, userId }) => [subject, userId]),
    );

/**
 * Links accounts to their subjects at a provider. Throws UniquenessConflict when a subject is linked to another account, in
 * this or another organization.
 */
export async function linkIdentities(
  trx: Trx,
  { organizationId, provider, now }: ProviderKey & { readonly now: Date },
  people: readonly IdentityLink[],
): Promise<void> {
  if (people.length === 0) return;
  const linked = await ExternalIdentity.query(trx)
    .insert(people.map((one) => ({ organizationId, provider, ...one, createdAt: now.toISOString() })))
    .onConflict(['organizationId', 'provider', 'subject'])
    .ignore()
    .returning('subject')
    .toKnexQuery()
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'external_identity_google' ? new UniquenessConflict() : error;
    });
  if (linked.length === people.length) return;
  const existing = await linksOf(trx, { organizationId, provider }, people);
  if (existing.length < people.length) throw new UniquenessConflict();
}

/** Returns those of the subjects that are linked to an account. */
export async function linkedSubjects(
  trx: Trx,
  { organizationId, provider }: ProviderKey,
  subjects: readonly string[],
): Promise<string[]> {
  if (subjects.length === 0) return [];
  const rows = await ExternalIdentity.query(trx)
    .where({ organizationId, provider })
    .whereIn('subject', [...subjects])
    .select('subject');
  return rows.map(({ subject }) => subject);
}

/** Deletes links that a roster has created; a subject that is now linked to another account stays. */
export async function unlinkIdentities(trx: Trx, of: ProviderKey, people: readonly IdentityLink[]): Promise<void> {
  if (people.length > 0) await linksOf(trx, of, people).delete();
}

/**
 * Deletes links that were created by a sign-in, after a roster or a revert has changed the addresses; the next sign-in by
 * the new address links again (see `removeExternalSubject`). Links that a roster has created stay.
 */
export async function endSignInLinks(trx: Trx, organizationId: string, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await ExternalIdentity.query(trx)
    .where({ organizationId, provider: 'google', byEmail: true })
    .whereIn('userId', [...userIds])
    .delete();
}

/** Sets whether the links were created by a sign-in by e-mail address, which a new address ends, or by a roster. */
export async function setByEmail(
  trx: Trx,
  { byEmail, ...of }: ProviderKey & { readonly byEmail: boolean },
  people: readonly IdentityLink[],
): Promise<void> {
  if (people.length > 0) await linksOf(trx, of, people).update({ byEmail });
}
