// What providers call people of a roster, many in one statement.
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { TakenMeanwhile } from './accounts.ts';

interface Provided {
  readonly organizationId: string;
  readonly provider: 'google' | 'oneroster';
}

export interface Identified {
  readonly userId: number;
  readonly subject: string;
}

/** Links of these people that lead to them still. */
const linksOf = (trx: Trx, { organizationId, provider }: Provided, people: readonly Identified[]) =>
  trx('external_identity')
    .where({ organizationId, provider })
    .whereIn(
      ['subject', 'userId'],
      people.map(({ subject, userId }) => [subject, userId] as [string, number]),
    );

/**
 * Links people to what a provider calls them. Throws TakenMeanwhile where that is somebody else by now, here or in another
 * organization.
 */
export async function linkIdentities(
  trx: Trx,
  { organizationId, provider, now }: Provided & { readonly now: Date },
  people: readonly Identified[],
): Promise<void> {
  if (people.length === 0) return;
  const linked = await trx('external_identity')
    .insert(people.map((one) => ({ organizationId, provider, ...one, createdAt: now })))
    .onConflict(['organizationId', 'provider', 'subject'])
    .ignore()
    .returning('subject')
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'external_identity_google' ? new TakenMeanwhile() : error;
    });
  if (linked.length === people.length) return;
  const theirs = await linksOf(trx, { organizationId, provider }, people);
  if (theirs.length < people.length) throw new TakenMeanwhile();
}

/** Links that a roster has made; one that leads to another account by now stays. */
export async function unlinkIdentities(trx: Trx, of: Provided, people: readonly Identified[]): Promise<void> {
  if (people.length > 0) await linksOf(trx, of, people).delete();
}

/**
 * A roster has given these people another address, or a revert their former one: the next first sign-in by it counts again, as
 * where an administrator gives one. Links of rosters stay.
 */
export async function endSignInLinks(trx: Trx, organizationId: string, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await trx('external_identity')
    .where({ organizationId, provider: 'google', byEmail: true })
    .whereIn('userId', [...userIds])
    .delete();
}

/** Whether a first sign-in by an address has made these links, which another address ends, or a roster, which keeps them. */
export async function markByEmail(
  trx: Trx,
  { byEmail, ...of }: Provided & { readonly byEmail: boolean },
  people: readonly Identified[],
): Promise<void> {
  if (people.length > 0) await linksOf(trx, of, people).update({ byEmail });
}
