// What students have met lately, wherever it was served: an item remembered is not read.
import type { Trx } from '../platform/db.ts';

/** Item ids by student, ascending; a student who met none has no entry. One statement, however many students. */
export async function seenItems(
  trx: Trx,
  studentIds: readonly number[],
  since: Date,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const { rows } = await trx.raw<{ rows: { student_id: number; item_ids: string[] }[] }>(
    `select student_id, array_agg(distinct item_id order by item_id) as item_ids from (
       select s.student_id, i.item_id from diagnostic_session s
         join diagnostic_served_item i on i.organization_id = s.organization_id and i.session_id = s.id
         where s.student_id = any(:studentIds::bigint[]) and i.served_at > :since
       union all
       select q.student_id, i.item_id from practice_queue q
         join practice_served_item i on i.organization_id = q.organization_id and i.queue_id = q.id
         where q.student_id = any(:studentIds::bigint[]) and i.served_at > :since
       union all
       select w.student_id, i.item_id from warmup_session w
         join warmup_item i on i.organization_id = w.organization_id and i.session_id = w.id
         where w.student_id = any(:studentIds::bigint[]) and w.started_at > :since) met
     group by student_id`,
    { studentIds: [...studentIds], since },
  );
  return new Map(rows.map((row) => [row.student_id, row.item_ids]));
}
