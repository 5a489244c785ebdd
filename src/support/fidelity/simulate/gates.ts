// The port of impact simulations: what rules would say of the gates of open plans. Nothing here writes.

import type { Trx } from '#core/platform/db.ts';
import type { Facts, RuleBundle } from '#rules/rulesets/index.ts';
import { BundleAssignment, openStates } from '../../interventions/index.ts';
import { tracedCount } from '../again/again.ts';
import { countedColumns, planFacts } from '../counting/facts.ts';
import { type CountingRules, compileCounting, countFidelity, type FidelityFacts } from '../engine/count.ts';

const gateTable = 'fidelity/gate';
const decisive: ReadonlySet<string> = new Set([gateTable, 'fidelity/settings']);

/** `family/key`. */
export const isFidelityDocument = (name: string): boolean => decisive.has(name);

/** The tables whose rules a report counts. */
export const fidelityTables = [gateTable] as const;

/** Throws BundleError or RangeError for rules that cannot be read. */
export const fidelityRulesOf = (bundle: RuleBundle): CountingRules => compileCounting(bundle);

export interface OpenPlan {
  readonly assignmentId: string;
  readonly studentId: number;
  readonly facts: FidelityFacts;
}

/** As they are now, counted as of that instant. */
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
  const plans = await planFacts(trx, rows, new Date(of.asOf));
  return plans.map(({ row, facts }) => ({ assignmentId: row.id, studentId: row.studentId, facts }));
}

export function gateOf({ facts }: OpenPlan, rules: CountingRules): { readonly ruleId: string; readonly gate: string } {
  const { ruleId, gate } = countFidelity(facts, rules).count;
  return { ruleId, gate };
}

/** With what the gate was asked. */
export function explainedGate({ facts }: OpenPlan, bundle: RuleBundle): ReturnType<typeof gateOf> & { facts: Facts } {
  const { calls, count } = tracedCount(bundle, facts);
  const asked = calls.find(({ table }) => table.name === gateTable);
  return { ruleId: count.ruleId, gate: count.gate, facts: asked?.facts ?? {} };
}
