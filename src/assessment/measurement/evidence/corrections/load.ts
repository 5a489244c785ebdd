// Loads the corrections of students' evidence: the one place that knows voids and merges.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type Corrections, correctionsOf, type EvidenceKind } from '../engine/corrections.ts';

interface CorrectionRow {
  readonly id: number;
  /** Null for a merge. */
  readonly kind: EvidenceKind | null;
  readonly refId: string;
  readonly studentId: number;
  readonly intoStudentId: number;
  readonly at: string;
  readonly until: string | null;
}

/**
 * Loads the corrections of the students and of all accounts that were ever merged with theirs, in one statement. They
 * answer for any moment.
 */
export async function loadCorrections(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<Corrections> {
  const rows = await rowsOf<CorrectionRow>(
    trx,
    `with recursive related (student_id) as (
       select unnest(:studentIds::bigint[])
       union
       select o.student_id from related n cross join lateral (
         select m.into_student_id as student_id from student_merge m
           where m.organization_id = :organizationId and m.student_id = n.student_id
         union all
         select m.student_id from student_merge m
           where m.organization_id = :organizationId and m.into_student_id = n.student_id) o)
     select m.id, null as kind, '' as ref_id, m.student_id, m.into_student_id, m.at, m.undone_at as until
     from student_merge m
     where m.organization_id = :organizationId and m.student_id = any(array(select student_id from related))
     union all
     select v.id, v.kind, v.ref_id, v.student_id, 0, v.at, v.restored_at
     from evidence_void v
     where v.organization_id = :organizationId and v.student_id = any(array(select student_id from related))`,
    { organizationId, studentIds },
  );
  return correctionsOf(
    rows.filter(({ kind }) => kind === null),
    rows.flatMap(({ kind, ...row }) => (kind === null ? [] : [{ ...row, kind }])),
  );
}
