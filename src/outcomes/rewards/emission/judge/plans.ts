// Growth in a plan of support: goals of steps that were met, a plan that is completed with all of them, less support needed.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { MasterySourceKind } from '../../engine/vocabulary.ts';
import type { Growth } from '../../ledger/record.ts';
import { type Fact, type GrowthOf, type Judge, type Judging, withoutCode } from './judging.ts';

type Payload = Fact['payload'];

export const growthOfStep: Judge = (trx, judging, facts) =>
  growthOfPlans(trx, judging, facts, 'bundle_step_goal_met', ({ stepNo }) => [stepNo]);

export const growthOfCompletion: Judge = (trx, judging, facts) =>
  growthOfPlans(trx, judging, facts, 'bundle_completion', () => []);

export const growthOfScaffold: Judge = (trx, judging, facts) =>
  growthOfPlans(trx, judging, facts, 'scaffold_tier_step_up', ({ from, to }) => [from, to]);

async function growthOfPlans(
  trx: Trx,
  { organizationId }: Judging,
  facts: readonly Fact[],
  sourceKind: MasterySourceKind,
  further: (payload: Payload) => readonly unknown[],
): Promise<GrowthOf> {
  const plans = await plansOf(trx, organizationId, facts);
  return (fact) => {
    const plan = plans.get(keyOf(fact));
    return plan ? [growthBy(plan, fact, sourceKind, further(fact.payload))] : [];
  };
}

function growthBy(
  { assignmentId, schoolYear, session }: Plan,
  { payload, happenedAt }: Fact,
  sourceKind: MasterySourceKind,
  further: readonly unknown[],
): Growth {
  const byReview = payload.endedBy === 'review';
  return {
    ...{ sourceKind, naturalKey: [assignmentId, ...further].join(':'), schoolYear },
    ...{ sourceType: 'bundle_assignment', sourceId: assignmentId, ...withoutCode },
    reached: typeof payload.to === 'string' ? payload.to : null,
    ...{ sessionKey: (byReview ? null : session) ?? `assignment:${assignmentId}`, occurredAt: happenedAt },
  };
}

interface Plan {
  readonly assignmentId: string;
  readonly at: string;
  readonly schoolYear: string;
  /** That was delivered at that moment; null without one. */
  readonly session: string | null;
}

const assignmentOf = ({ payload }: Fact): string => String(payload.assignmentId);
const keyOf = (fact: Fact): string => nameOf(assignmentOf(fact), fact.happenedAt);
const nameOf = (assignmentId: string, at: string): string => `${assignmentId} ${at}`;

/** By assignment and moment. */
async function plansOf(trx: Trx, organizationId: string, facts: readonly Fact[]): Promise<ReadonlyMap<string, Plan>> {
  const plans = await rowsOf<Plan>(
    trx,
    `select t.assignment_id, t.at, a.school_year, (select d.source_type || ':' || d.source_id from bundle_delivery d
       where d.organization_id = a.organization_id and d.assignment_id = a.id and d.school_year = a.school_year
         and d.recorded_at = t.at order by d.id desc limit 1) as session
     from unnest(:ids::text[], :moments::timestamptz[]) as t (assignment_id, at)
     join bundle_assignment a on a.organization_id = :organizationId and a.id = t.assignment_id`,
    { organizationId, ids: facts.map(assignmentOf), moments: facts.map(({ happenedAt }) => happenedAt) },
    keptPlan,
  );
  return new Map(plans.map((plan) => [nameOf(plan.assignmentId, plan.at), plan]));
}
