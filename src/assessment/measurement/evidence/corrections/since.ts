// Whether evidence was corrected after it had been read.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { accountsIn } from './in-statements.ts';

export interface ReadEvidence {
  /** The key of the result. */
  readonly key: string;
  readonly studentId: number;
  /** ISO 8601. */
  readonly readAt: string;
}

/** Returns the keys of those after which a void, a restoring, a merge or its undo came. */
export async function correctedSince(
  trx: Trx,
  organizationId: string,
  read: readonly ReadEvidence[],
): Promise<ReadonlySet<string>> {
  if (read.length === 0) return new Set();
  const rows = await rowsOf<{ key: string }>(
    trx,
    `select r.key from unnest(:keys::text[], :studentIds::bigint[], :moments::timestamptz[])
       as r (key, student_id, read_at)
     where exists (select from evidence_void v where v.organization_id = :organizationId
         and v.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: 'r.student_id' })})
         and greatest(v.at, v.restored_at) > r.read_at)
       or exists (select from student_merge m where m.organization_id = :organizationId
         and m.into_student_id = r.student_id and greatest(m.at, m.undone_at) > r.read_at)`,
    {
      organizationId,
      keys: read.map(({ key }) => key),
      studentIds: read.map(({ studentId }) => studentId),
      moments: read.map(({ readAt }) => readAt),
    },
  );
  return new Set(rows.map(({ key }) => key));
}
