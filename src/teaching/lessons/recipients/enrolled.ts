// Which students are in a class now, and which are known at all.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface Enrolled {
  /** Living students of the organization. */
  readonly known: ReadonlySet<number>;
  /** Those of them who are in the class. */
  readonly here: ReadonlySet<number>;
}

export async function enrolledAmong(
  trx: Trx,
  { organizationId, classId }: { readonly organizationId: string; readonly classId: number },
  studentIds: readonly number[],
): Promise<Enrolled> {
  const rows = await rowsOf<{ id: number; isHere: boolean }>(
    trx,
    `select u.id, exists (select from enrollment e where e.organization_id = u.organization_id and e.student_id = u.id
         and e.class_id = :classId and e.enrolled_to is null) as is_here
     from app_user u
     where u.organization_id = :organizationId and u.id = any(:studentIds::bigint[])
       and u.primary_persona = 'STUDENT' and u.status <> 'deleted'`,
    { organizationId, classId, studentIds: [...studentIds] },
  );
  return {
    known: new Set(rows.map(({ id }) => id)),
    here: new Set(rows.filter(({ isHere }) => isHere).map(({ id }) => id)),
  };
}
