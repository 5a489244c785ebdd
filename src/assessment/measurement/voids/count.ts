// The number of voids that stand for a student's evidence.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { accountsIn } from '../evidence/corrections/in-statements.ts';

export async function countVoids(
  trx: Trx,
  { organizationId, id: studentId }: { readonly organizationId: string; readonly id: number },
): Promise<number> {
  const [row] = await rowsOf<{ found: number }>(
    trx,
    `select count(*)::integer as found from evidence_void v
     where v.organization_id = :organizationId and v.restored_at is null
       and v.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: ':studentId' })})`,
    { organizationId, studentId },
  );
  return row?.found ?? 0;
}
