// Two ids of a source that would be one account: an address that was one person's may be another's by now, and who of the two
// the account is nobody can tell from it.
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { identityOf } from '../../enums.ts';
import type { LmsPreview } from '../rows.ts';
import type { FoundPerson } from './people.ts';

export interface Sharing extends Pick<LmsPreview, 'organizationId' | 'provider'> {
  /** Courses whose whole roster was read. */
  readonly complete: Iterable<string>;
  /** Those of the ids that the roster has. */
  among(trx: Trx, ids: readonly string[]): Promise<Iterable<string>>;
}

interface Other {
  readonly externalId: string;
  readonly otherId: string;
}

/** Looked up one by one: of identities of this minute the planner knows no numbers. */
const others = `
  select w.external_id, o.subject as other_id
  from unnest(:externalIds::text[], :userIds::bigint[]) as w (external_id, user_id)
  cross join lateral (select i.subject from external_identity i where i.organization_id = ${anyOrganization}
    and i.provider = :identity and i.user_id = w.user_id and i.subject <> w.external_id offset 0) o`;

const enrolledElsewhere = `
  select distinct e.person_external_id as id from lms_enrollment e
  where e.organization_id = :organizationId and e.provider = :provider and e.person_external_id = any(:ids::text[])
    and e.is_open and e.course_external_id <> all(:complete::text[])`;

/** External ids of those whose account has another id that the source still knows: in this roster, or in a course that was not read. */
export async function sharing(
  trx: Trx,
  { organizationId, provider, complete, among }: Sharing,
  people: readonly FoundPerson[],
): Promise<ReadonlySet<string>> {
  const known = people.flatMap(({ externalId, byIdentity, byEmail }) => {
    const userId = (byIdentity ?? byEmail)?.userId;
    return userId === undefined ? [] : [{ externalId, userId }];
  });
  if (known.length === 0) return new Set();
  const found = await rowsOf<Other>(trx, others, {
    ...{ organizationId, identity: identityOf(provider), userIds: known.map(({ userId }) => userId) },
    externalIds: known.map(({ externalId }) => externalId),
  });
  if (found.length === 0) return new Set();
  const ids = found.map(({ otherId }) => otherId);
  const elsewhere = await rowsOf<{ id: string }>(trx, enrolledElsewhere, {
    ...{ organizationId, provider, ids, complete: [...complete] },
  });
  const there = new Set([...(await among(trx, ids)), ...elsewhere.map(({ id }) => id)]);
  return new Set(found.flatMap(({ externalId, otherId }) => (there.has(otherId) ? [externalId] : [])));
}
