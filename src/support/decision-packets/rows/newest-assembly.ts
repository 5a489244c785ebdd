// The end of what packets have read of some students: the newest assembly.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

export async function newestAssemblyOf(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<string | null> {
  const [row] = await rowsOf<{ assembledAt: string | null }>(
    trx,
    `select max(p.assembled_at) as assembled_at from decision_packet p
     where p.organization_id = :organizationId and p.student_id = any(:studentIds::bigint[])`,
    { organizationId, studentIds },
  );
  return row?.assembledAt ?? null;
}
