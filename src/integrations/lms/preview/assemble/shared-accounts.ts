// Finds ids of a source that share an account. An email address may have passed from one person to another, so the account
// does not show which of the two it belongs to.
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { identityOf } from '../../enums.ts';
import type { LmsPreview } from '../rows.ts';
import type { FoundPerson } from './person-context.ts';

export interface SharedAccountSearch extends Pick<LmsPreview, 'organizationId' | 'provider'> {
  /** The courses whose whole roster was read. */
  readonly complete: Iterable<string>;
  /** Returns the ids that the roster contains. */
  among(trx: Trx, ids: readonly string[]): Promise<Iterable<string>>;
}

interface Other {
  readonly externalId: string;
  readonly otherId: string;
}

/**
 * Ids that a merge of two accounts has brought together share an account rightly; those that had one account before do not.
 * Looked up one by one, because the planner has no statistics of identities that were just stored.
 */
const others = `
  select w.external_id, o.subject as other_id
  from unnest(:externalIds::text[], :userIds::bigint[]) as w (external_id, user_id)
  cross join lateral (select i.subject from external_identity i where i.organization_id = ${anyOrganization}
    and i.provider = :identity and i.user_id = w.user_id and i.subject <> w.external_id
    and coalesce(i.merged_from, i.user_id) = coalesce((select coalesce(x.merged_from, x.user_id) from external_identity x
      where x.organization_id = ${anyOrganization} and x.provider = :identity and x.subject = w.external_id),
      i.merged_from, i.user_id) offset 0) o`;

const enrolledElsewhere = `
  select distinct e.person_external_id as id from lms_enrollment e
  where e.organization_id = :organizationId and e.provider = :provider and e.person_external_id = any(:ids::text[])
    and e.is_open and e.course_external_id <> all(:complete::text[])`;

/**
 * Returns the external ids of people whose account has another id that the source still has: in this roster, or in a course
 * that was not read.
 */
export async function findSharedAccounts(
  trx: Trx,
  { organizationId, provider, complete, among }: SharedAccountSearch,
  people: readonly FoundPerson[],
): Promise<ReadonlySet<string>> {
  const known = people.flatMap(({ externalId, byIdentity, byEmail }) => {
    const userId = (byIdentity ?? byEmail)?.userId;
    return userId === undefined ? [] : [{ externalId, userId }];
  });
  if (known.length === 0) return new Set();
  const found = await rowsOf<Other>(trx, others, {
    organizationId,
    identity: identityOf(provider),
    userIds: known.map(({ userId }) => userId),
    externalIds: known.map(({ externalId }) => externalId),
  });
  if (found.length === 0) return new Set();
  const ids = found.map(({ otherId }) => otherId);
  const elsewhere = await rowsOf<{ id: string }>(trx, enrolledElsewhere, {
    organizationId,
    provider,
    ids,
    complete: [...complete],
  });
  const there = new Set([...(await among(trx, ids)), ...elsewhere.map(({ id }) => id)]);
  return new Set(found.flatMap(({ externalId, otherId }) => (there.has(otherId) ? [externalId] : [])));
}
