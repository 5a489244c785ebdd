// Items that students have seen lately in any session, since a remembered item does not measure reading. Items of voided
// sessions and of merged accounts were seen too.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { accountsIn } from './evidence/corrections/in-statements.ts';

/** Students by id, or all who are in a class now. */
export type SomeStudents = { readonly ids: readonly number[] } | { readonly classId: number };

/** SQL array of their ids, for statements that bind `studentBindings` and `organizationId`. */
export const studentIdArray = `(:studentIds::bigint[] || array(select student_id from enrollment
  where organization_id = :organizationId and class_id = :classId::bigint and enrolled_to is null))`;

export const studentBindings = (students: SomeStudents) =>
  'ids' in students ? { studentIds: students.ids, classId: null } : { studentIds: [], classId: students.classId };

/** Returns item ids by student, ascending, in one statement; students without items have no entry. */
export async function seenItems(
  trx: Trx,
  organizationId: string,
  students: SomeStudents,
  since: Date,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await rowsOf<{ studentId: number; itemIds: string[] }>(
    trx,
    `with owned as materialized (
       select t.student_id, a.account_id from unnest(${studentIdArray}) as t (student_id)
       cross join lateral unnest(${accountsIn({ organizationId: ':organizationId', studentId: 't.student_id' })})
         as a (account_id)),
     asked as materialized (select array_agg(account_id) as ids from owned)
     select o.student_id, array_agg(distinct item_id order by item_id) as item_ids from (
       select s.student_id, i.item_id from diagnostic_session s
         join diagnostic_served_item i on i.organization_id = s.organization_id and i.session_id = s.id
         where s.organization_id = :organizationId and s.student_id = any((select ids from asked)::bigint[]) and i.served_at > :since
       union all
       select q.student_id, i.item_id from practice_queue q
         join practice_served_item i on i.organization_id = q.organization_id and i.queue_id = q.id
         where q.organization_id = :organizationId and q.student_id = any((select ids from asked)::bigint[]) and i.served_at > :since
       union all
       select w.student_id, i.item_id from warmup_session w
         join warmup_item i on i.organization_id = w.organization_id and i.session_id = w.id
         where w.organization_id = :organizationId and w.student_id = any((select ids from asked)::bigint[]) and w.started_at > :since) met
     join owned o on o.account_id = met.student_id
     group by o.student_id`,
    { organizationId, since: since.toISOString(), ...studentBindings(students) },
    keptPlan,
  );
  return new Map(rows.map((row) => [row.studentId, row.itemIds]));
}
