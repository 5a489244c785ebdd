// Completed assignments with their goals and the newest count of their delivery.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { CompletionResult, FidelityGate } from '../interventions/index.ts';

export interface CompletedAssignment {
  readonly studentId: number;
  readonly bundleId: string;
  readonly completionResult: CompletionResult;
  /** `not_applicable` without a count. */
  readonly gate: FidelityGate;
}

export interface CompletedQuestion {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  /** Local dates between which an assignment ended, both inclusive. */
  readonly from: string;
  readonly to: string;
}

/** The last completed assignment of each student and bundle. */
export const completedAssignments = (
  trx: Trx,
  { organizationId, studentIds, from, to }: CompletedQuestion,
): Promise<CompletedAssignment[]> =>
  rowsOf(
    trx,
    `select distinct on (a.student_id, a.bundle_id) a.student_id, a.bundle_id, a.completion_result,
       coalesce(f.gate, 'not_applicable') as gate
     from bundle_assignment a
     left join fidelity_current f on f.organization_id = a.organization_id and f.assignment_id = a.id
     where a.organization_id = :organizationId and a.student_id = any(:studentIds::bigint[]) and a.state = 'completed'
       and a.ended_on between :from::date and :to::date
     order by a.student_id, a.bundle_id, a.ended_on desc, a.activated_at desc, a.id desc`,
    { organizationId, studentIds: [...studentIds], from, to },
  );
