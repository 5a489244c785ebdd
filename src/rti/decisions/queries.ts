// The newest decision of each student: what was decided last says how long a review is due.
import type { Trx } from '../../platform/db.ts';
import { rowsOf } from '../../platform/sql.ts';
import type { RtiDecision } from './store.ts';

export type LastDecision = Pick<RtiDecision, 'id' | 'decision' | 'effectiveOn' | 'committedAt'>;

/** By moment of committing, those of packets too; who was never decided about is not there. */
export async function newestDecisions(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ReadonlyMap<number, LastDecision>> {
  const rows = await rowsOf<LastDecision & { readonly studentId: number }>(
    trx,
    `select t.student_id, d.id, d.decision, d.effective_on, d.committed_at
     from unnest(:studentIds::bigint[]) as t (student_id)
     cross join lateral (select * from rti_decision d
       where d.organization_id = :organizationId and d.student_id = t.student_id
       order by d.committed_at desc, d.seq desc limit 1) d`,
    { organizationId, studentIds: [...studentIds] },
  );
  return new Map(rows.map(({ studentId, ...decision }) => [studentId, decision]));
}
