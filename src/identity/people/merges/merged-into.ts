// The accounts that are merged into a student's, directly or through others.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { User } from '../records/users.ts';

interface StudentKey {
  readonly id: number;
  readonly organizationId: string;
}

/** Returns the ids of the accounts whose evidence is the student's, besides the own one. */
export async function accountsMergedInto(trx: Trx, { id, organizationId }: StudentKey): Promise<number[]> {
  const rows = await User.query(trx).where({ organizationId, mergedIntoId: id }).orderBy('id').select('id');
  return rows.map((row) => row.id);
}

/** Returns the ids of the accounts that were merged into this one before it was merged itself. */
export async function accountsMergedBefore(trx: Trx, { id, organizationId }: StudentKey): Promise<number[]> {
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `with recursive below (student_id) as (
       select m.student_id from student_merge m
         where m.organization_id = :organizationId and m.into_student_id = :id and m.undone_at is null
       union
       select m.student_id from below b join student_merge m
         on m.organization_id = :organizationId and m.into_student_id = b.student_id and m.undone_at is null)
     select student_id from below`,
    { organizationId, id },
  );
  return rows.map(({ studentId }) => studentId);
}
