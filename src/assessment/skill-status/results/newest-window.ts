// The end of the newest window of some students: the instant of their newest run.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

export async function newestWindowEnd(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<string | null> {
  const [row] = await rowsOf<{ asOf: string | null }>(
    trx,
    `select max(r.as_of) as as_of from sse_run r
     where r.organization_id = :organizationId and r.student_id = any(:studentIds::bigint[])`,
    { organizationId, studentIds },
  );
  return row?.asOf ?? null;
}
