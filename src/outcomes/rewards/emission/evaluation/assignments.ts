// Growth in assignments of support: step goals that were met, assignments completed with all goals, less support
// needed.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { MasterySourceKind } from '../../engine/enums.ts';
import type { PossibleGrowth } from '../../ledger/record.ts';
import { type EvaluationContext, type Fact, type GrowthOf, type GrowthSource, withoutCode } from './growth-source.ts';

type Payload = Fact['payload'];

export const growthOfStep: GrowthSource = (trx, context, facts) =>
  growthOfAssignments(trx, context, facts, 'bundle_step_goal_met', ({ stepNo }) => [stepNo]);

export const growthOfCompletion: GrowthSource = (trx, context, facts) =>
  growthOfAssignments(trx, context, facts, 'bundle_completion', () => []);

export const growthOfScaffold: GrowthSource = (trx, context, facts) =>
  growthOfAssignments(trx, context, facts, 'scaffold_tier_step_up', ({ from, to }) => [from, to]);

async function growthOfAssignments(
  trx: Trx,
  { organizationId }: EvaluationContext,
  facts: readonly Fact[],
  sourceKind: MasterySourceKind,
  further: (payload: Payload) => readonly unknown[],
): Promise<GrowthOf> {
  const assignments = await assignmentsOf(trx, organizationId, facts);
  return (fact) => {
    const assignment = assignments.get(keyOf(fact));
    return assignment ? [growthBy(assignment, fact, sourceKind, further(fact.payload))] : [];
  };
}

function growthBy(
  { assignmentId, schoolYear, session }: SupportAssignment,
  { payload, happenedAt }: Fact,
  sourceKind: MasterySourceKind,
  further: readonly unknown[],
): PossibleGrowth {
  const byReview = payload.endedBy === 'review';
  return {
    ...{ sourceKind, naturalKey: [assignmentId, ...further].join(':'), schoolYear },
    ...{ sourceType: 'bundle_assignment', sourceId: assignmentId, ...withoutCode },
    reached: typeof payload.to === 'string' ? payload.to : null,
    ...{ sessionKey: (byReview ? null : session) ?? `assignment:${assignmentId}`, occurredAt: happenedAt },
  };
}

interface SupportAssignment {
  readonly assignmentId: string;
  readonly at: string;
  readonly schoolYear: string;
  /** The session delivered at that moment; null without one. */
  readonly session: string | null;
}

const assignmentOf = ({ payload }: Fact): string => String(payload.assignmentId);
const keyOf = (fact: Fact): string => nameOf(assignmentOf(fact), fact.happenedAt);
const nameOf = (assignmentId: string, at: string): string => `${assignmentId} ${at}`;

/** Keyed by assignment and moment. */
async function assignmentsOf(
  trx: Trx,
  organizationId: string,
  facts: readonly Fact[],
): Promise<ReadonlyMap<string, SupportAssignment>> {
  const assignments = await rowsOf<SupportAssignment>(
    trx,
    `select t.assignment_id, t.at, a.school_year, (select d.source_type || ':' || d.source_id from bundle_delivery d
       where d.organization_id = a.organization_id and d.assignment_id = a.id and d.school_year = a.school_year
         and d.recorded_at = t.at order by d.id desc limit 1) as session
     from unnest(:ids::text[], :moments::timestamptz[]) as t (assignment_id, at)
     join bundle_assignment a on a.organization_id = :organizationId and a.id = t.assignment_id`,
    { organizationId, ids: facts.map(assignmentOf), moments: facts.map(({ happenedAt }) => happenedAt) },
    keptPlan,
  );
  return new Map(assignments.map((assignment) => [nameOf(assignment.assignmentId, assignment.at), assignment]));
}
