// The port of impact simulations: what rules would say of the gates of open plans. Nothing here writes.

import type { Trx } from '#core/platform/db.ts';
import type { Facts, RuleBundle } from '#rules/rulesets/index.ts';
import { BundleAssignment, openStates } from '../../interventions/index.ts';
import { assignmentFacts, countedColumns } from '../counting/facts.ts';
import { type CountingRules, countFidelity, type FidelityFacts } from '../engine/count.ts';
import { tracedCount } from '../replay/replay-count.ts';

export const gateTable = 'fidelity/gate';

export interface OpenPlan {
  readonly assignmentId: string;
  readonly studentId: number;
  readonly facts: FidelityFacts;
}

/** The present rows, counted as of that instant. */
export async function openPlansOf(
  trx: Trx,
  of: { readonly organizationId: string; readonly studentIds: readonly number[]; readonly asOf: string },
): Promise<OpenPlan[]> {
  const rows = await BundleAssignment.query(trx)
    .where({ organizationId: of.organizationId })
    .whereIn('studentId', [...of.studentIds])
    .whereIn('state', [...openStates])
    .select(...countedColumns)
    .orderBy(['studentId', 'id']);
  const plans = await assignmentFacts(trx, rows, new Date(of.asOf));
  return plans.map(({ row, facts }) => ({ assignmentId: row.id, studentId: row.studentId, facts }));
}

export function gateOf({ facts }: OpenPlan, rules: CountingRules): { readonly ruleId: string; readonly gate: string } {
  const { ruleId, gate } = countFidelity(facts, rules).count;
  return { ruleId, gate };
}

/** With the facts that the gate was evaluated on. */
export function explainedGate({ facts }: OpenPlan, bundle: RuleBundle) {
  const { calls, count } = tracedCount(bundle, facts);
  const asked: Facts | undefined = calls.find(({ table }) => table.name === gateTable)?.facts;
  return { ruleId: count.ruleId, outcome: count.gate, facts: asked ?? {} };
}
