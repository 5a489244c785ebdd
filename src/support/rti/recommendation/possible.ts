// The question of what is missing for a decision about a student, with the counted assignments and their deliveries.

import type { Trx } from '#core/platform/db.ts';
import { BundleAssignment, deliveredDays, hasFidelityGate, planOf } from '../../interventions/index.ts';
import type { PossibleQuestion } from '../engine/tiers/decision-possible.ts';
import type { AdviceNow } from './advice.ts';

/** For one student, in two statements. */
export async function possibleQuestion(
  trx: Trx,
  organizationId: string,
  { situation, shown }: AdviceNow,
): Promise<PossibleQuestion> {
  const { studentId, tier, tierSince, today, calendar, weeksInTier, fidelity, progress } = situation;
  const rows = await BundleAssignment.query(trx).where({ organizationId, studentId }).orderBy('id');
  const counted = rows.filter(({ objectType }) => hasFidelityGate(objectType));
  const ids = counted.map(({ id }) => id);
  const delivered = await deliveredDays(trx, organizationId, ids);
  return {
    ...{ tier, tierSince, today, calendar, weeksInTier },
    blocked: shown.decision === null || shown.dataSufficiency === 'contextual',
    pooled: { planned: fidelity.planned, credited: fidelity.credited },
    plans: counted.map((row) => planOf(row, delivered)),
    role: situation.focusRole,
    progressKnown: progress !== 'unknown',
    pointsSinceTier: situation.pointsSinceTier,
    roleMeasurements: situation.roleMeasurements,
  };
}
