// Which students new rules have given another result: those whose recompute has appended a run.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

/** Counts the students among these with a run that an activation has caused since the moment. */
export async function countNewResults(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  since: string,
): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    trx,
    `select count(distinct r.student_id) as count from sse_run r
     where r.organization_id = :organizationId and r.student_id = any(:studentIds::bigint[])
       and r.trigger = 'rule_activation' and r.as_of >= :since`,
    { organizationId, studentIds: [...studentIds], since },
  );
  return row?.count ?? 0;
}
