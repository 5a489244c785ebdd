// The port of impact simulations: what rules would say of a student's alert and tier, as everything else stands. Nothing here
// writes.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { Facts, RuleBundle } from '#rules/rulesets/index.ts';
import { type InterventionRules, interventionRules, poolDelivery, schoolCalendar } from '../../interventions/index.ts';
import { compileRti, type RtiRules } from '../engine/compiled.ts';
import { tierInput } from '../recommendation/input.ts';
import { adviceOf } from '../recommendation/recommendation.ts';
import { alertState } from '../rows/alerts.ts';
import { situationOf } from '../situations/situation.ts';
import { type StoredSituation, storedSituations } from '../situations/situations.ts';

export type TierParts = StoredSituation;

export interface TierRules {
  readonly bundle: RuleBundle;
  readonly rti: RtiRules;
  readonly interventions: InterventionRules;
}

/** Throws BundleError or RangeError for rules that cannot be read. */
export const tierRulesOf = (bundle: RuleBundle): TierRules => ({
  bundle,
  rti: compileRti(bundle),
  interventions: interventionRules(bundle),
});

/** Returns the situations as of the instant, for living students, by id. */
export async function tierParts(
  trx: Trx,
  services: Pick<Services, 'rules'>,
  { bundle, interventions }: TierRules,
  of: { readonly organizationId: string; readonly studentIds: readonly number[]; readonly asOf: string },
): Promise<ReadonlyMap<number, TierParts>> {
  const asked = { organizationId: of.organizationId, studentIds: of.studentIds, now: new Date(of.asOf) };
  const stored = await storedSituations(trx, services, asked, { bundle, rules: interventions });
  return new Map(stored.map((one) => [one.parts.enrollmentContext.studentId, one]));
}

interface Answer {
  readonly ruleId: string;
  readonly outcome: string;
  readonly facts: Facts;
}

export interface TierAnswer {
  /** The candidate of an evaluation, whatever is open. */
  readonly alert: Answer;
  readonly tier: Answer;
}

/** Returns null for a student of no class. */
export function tierAnswer(stored: TierParts, { rti, interventions }: TierRules): TierAnswer | null {
  const situation = situationOf(pooledAnew(stored, interventions), stored.history, rti, interventions);
  if (situation.enrollment === null) return null;
  const alerts = situation.alerts.map(alertState);
  const input = tierInput(situation);
  const { sufficiency, ruleId, decision } = adviceOf(input, rti);
  return {
    alert: rti.alerts.candidate(situation.alertFacts, alerts, situation.today),
    tier: {
      ruleId,
      outcome: decision ?? 'do_not_decide_yet',
      facts: { sufficiencyReason: sufficiency.reason, ...input.tier },
    },
  };
}

/** Deliveries are counted by the rules of the draft. */
function pooledAnew({ parts }: TierParts, { fidelity }: InterventionRules): TierParts['parts'] {
  const { enrollmentContext, today, movement } = parts;
  const { plans } = parts.fidelity;
  const calendar = schoolCalendar(enrollmentContext.weekend, enrollmentContext.holidays);
  const tierSince = movement?.effectiveOn ?? enrollmentContext.enrolledSince;
  return { ...parts, fidelity: { plans, ...poolDelivery({ plans, calendar, tierSince, asOf: today }, fidelity) } };
}
