// The lock of a student's support, which every writer of profiles, assignments and tiers takes. Class-wide work locks the row
// of the class first.
import type { Trx } from '#core/platform/db.ts';
import { lockingRows } from '#core/platform/locks.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';

/** Held until the transaction ends; several are taken in the order of their ids. */
export async function lockSupport(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const wanted = [...new Set(studentIds)].sort((a, b) => a - b);
  if (wanted.length === 0) return;
  const held = await lockExisting(trx, organizationId, wanted);
  if (held === wanted.length) return;
  await trx.raw(
    `insert into student_support (organization_id, student_id)
     select :organizationId, t.student_id from unnest(:wanted::bigint[]) as t (student_id) order by t.student_id
     on conflict (organization_id, student_id) do nothing`,
    { organizationId, wanted },
  );
  await lockExisting(trx, organizationId, wanted);
}

async function lockExisting(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<number> {
  const rows = await rowsOf(
    trx,
    `select student_id from student_support
     where organization_id = :organizationId and student_id = any(:studentIds::bigint[])
     order by student_id ${lockingRows('support', 'change')}`,
    { organizationId, studentIds },
    keptPlan,
  );
  return rows.length;
}
