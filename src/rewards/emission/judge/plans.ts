// Growth in a plan of support: goals of steps that were met, a plan that is completed with all of them, less support needed.
import type { Trx } from '../../../platform/db.ts';
import { rowsOf } from '../../../platform/sql.ts';
import type { MasterySourceKind } from '../../engine/vocabulary.ts';
import type { Growth } from '../../ledger/record.ts';
import type { Candidate } from '../candidates.ts';
import { type Judge, type Judging, withoutCode } from './judging.ts';

type Payload = Candidate['payload'];

export const growthOfStep: Judge = (trx, judging, candidate) =>
  growthOfPlan(trx, judging, candidate, 'bundle_step_goal_met', ({ stepNo }) => [stepNo]);

export const growthOfCompletion: Judge = (trx, judging, candidate) =>
  growthOfPlan(trx, judging, candidate, 'bundle_completion', () => []);

export const growthOfScaffold: Judge = (trx, judging, candidate) =>
  growthOfPlan(trx, judging, candidate, 'scaffold_tier_step_up', ({ from, to }) => [from, to]);

async function growthOfPlan(
  trx: Trx,
  { organizationId }: Judging,
  { payload, happenedAt }: Candidate,
  sourceKind: MasterySourceKind,
  further: (payload: Payload) => readonly unknown[],
): Promise<Growth[]> {
  const assignmentId = String(payload.assignmentId);
  const plan = await planOf(trx, organizationId, assignmentId, happenedAt);
  if (!plan) return [];
  const session = payload.endedBy === 'review' ? null : plan.session;
  return [
    {
      ...{ sourceKind, naturalKey: [assignmentId, ...further(payload)].join(':'), schoolYear: plan.schoolYear },
      ...{ sourceType: 'bundle_assignment', sourceId: assignmentId, ...withoutCode },
      reached: typeof payload.to === 'string' ? payload.to : null,
      ...{ sessionKey: session ?? `assignment:${assignmentId}`, occurredAt: happenedAt },
    },
  ];
}

interface Plan {
  readonly schoolYear: string;
  /** That was delivered at that moment; null without one. */
  readonly session: string | null;
}

async function planOf(trx: Trx, organizationId: string, assignmentId: string, at: string): Promise<Plan | undefined> {
  const [plan] = await rowsOf<Plan>(
    trx,
    `select a.school_year, (select d.source_type || ':' || d.source_id from bundle_delivery d
       where d.organization_id = a.organization_id and d.assignment_id = a.id and d.school_year = a.school_year
         and d.recorded_at = :at::timestamptz order by d.id desc limit 1) as session
     from bundle_assignment a where a.organization_id = :organizationId and a.id = :assignmentId`,
    { organizationId, assignmentId, at },
  );
  return plan;
}
