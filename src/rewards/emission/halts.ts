// Whether growth of a student may be told now: not before the recomputes that facts have asked for are done, and not while
// the student is halted (40 §3).
import { type CatalogueDocument, schoolYearOf } from '../../catalogue/index.ts';
import { placesOf } from '../../interventions/index.ts';
import type { Trx } from '../../platform/db.ts';
import { anyOrganization, rowsOf } from '../../platform/sql.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
import type { LedgerOf } from '../ledger/known.ts';

/** A recompute was asked for and has not come yet. */
export async function isPending(trx: Trx, of: LedgerOf): Promise<boolean> {
  const [row] = await rowsOf<{ pending: boolean }>(
    trx,
    `select q.requested_seq > q.processed_seq as pending from sse_recompute_request q
     where q.organization_id = :organizationId and q.student_id = :studentId`,
    { organizationId: of.organizationId, studentId: of.studentId },
  );
  return row?.pending ?? false;
}

/** By the newest run of the school year; a student without one is not halted. `until`: of those that were stored by then. */
export async function isHalted(
  trx: Trx,
  of: LedgerOf,
  bundle: RuleBundle,
  now: Date,
  until: string | null = null,
): Promise<boolean> {
  const { organizationId, studentId } = of;
  const [place] = await placesOf(trx, organizationId, [studentId]);
  const { schoolYear } = bundle.values<CatalogueDocument>('catalogue/subskills');
  const { from } = schoolYearOf(now.toISOString(), place?.timeZone ?? 'UTC', schoolYear);
  const [run] = await rowsOf<{ halted: boolean }>(
    trx,
    `select r.halted from sse_run r where r.organization_id = ${anyOrganization} and r.student_id = :studentId
       and r.as_of >= :from
       and (:until::timestamptz is null or r.created_at <= :until) order by r.seq desc limit 1`,
    { organizationId, studentId, from, until },
  );
  return run?.halted ?? false;
}
