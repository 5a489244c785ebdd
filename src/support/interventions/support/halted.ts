// Students about whom no decision is allowed at present, by their newest profile.
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';

export async function haltedStudents(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `select t.student_id from unnest(:studentIds::bigint[]) as t (student_id)
     cross join lateral (select outcome from profile_assignment p
       where p.organization_id = ${anyOrganization} and p.student_id = t.student_id order by p.id desc limit 1) p
     where p.outcome = 'do_not_decide_yet'`,
    { organizationId, studentIds: [...new Set(studentIds)] },
  );
  return new Set(rows.map(({ studentId }) => studentId));
}
