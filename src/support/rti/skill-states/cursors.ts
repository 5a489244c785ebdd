// The snapshot up to which layer A has followed a student. Every run requests an evaluation in its own transaction, so only
// students with an open request, or without a cursor, can be behind.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';

/** The students who may have snapshots after `after`. */
export const studentsWithNewSnapshots = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<{ readonly studentId: number; readonly after: number }[]> =>
  rowsOf(
    trx,
    `select t.student_id, coalesce(c.snapshot_id, 0) as after from unnest(:studentIds::bigint[]) as t (student_id)
     left join skill_state_cursor c on c.organization_id = :organizationId and c.student_id = t.student_id
     where c.student_id is null or exists (select from rti_evaluation_request q
       where q.organization_id = :organizationId and q.student_id = t.student_id and q.requested_seq > q.processed_seq)
     order by t.student_id`,
    { organizationId, studentIds: [...studentIds] },
    keptPlan,
  );

export async function keepCursors(
  trx: Trx,
  organizationId: string,
  followed: readonly { readonly studentId: number; readonly snapshotId: number }[],
): Promise<void> {
  await trx.raw(
    `insert into skill_state_cursor (organization_id, student_id, snapshot_id)
     select :organizationId, t.student_id, t.snapshot_id
     from unnest(:studentIds::bigint[], :snapshotIds::bigint[]) as t (student_id, snapshot_id)
     on conflict (organization_id, student_id) do update set snapshot_id = excluded.snapshot_id`,
    {
      organizationId,
      studentIds: followed.map(({ studentId }) => studentId),
      snapshotIds: followed.map(({ snapshotId }) => snapshotId),
    },
  );
}
