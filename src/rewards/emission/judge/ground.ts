// Ground that was lost and is regained pays once: in a school year nothing is told of a state or status that an earlier event
// of the same kind and code has reached or passed.
import type { Trx } from '../../../platform/db.ts';
import { rankOf } from '../../engine/growth/rises.ts';
import type { MasterySourceKind } from '../../engine/vocabulary.ts';
import type { LedgerOf } from '../../ledger/known.ts';
import type { Growth } from '../../ledger/record.ts';

/** Worst to best (51 §4.1). */
const stateOrder: readonly (string | null)[] = ['monitoring', 'on_track', 'maintenance'];

type Place = (reached: string | null) => number | undefined;

const places: Partial<Record<MasterySourceKind, Place>> = {
  subskill_state_up: (state) => stateOrder.indexOf(state),
  skill_status_transition: rankOf,
  domain_status_escalation: rankOf,
};

/** Under the lock of the student's row. `beforeId`: asked again of an event that is there. */
export async function isNewGround(
  trx: Trx,
  { organizationId, studentId }: LedgerOf,
  growth: Growth,
  beforeId?: number,
): Promise<boolean> {
  const { sourceKind, schoolYear, subSkillCode, domainCode, reached } = growth;
  const place = places[sourceKind];
  if (!place) return true;
  const told = trx('mastery_event').where({
    organizationId,
    studentId,
    schoolYear,
    sourceKind,
    subSkillCode,
    domainCode,
  });
  if (beforeId !== undefined) told.where('id', '<', beforeId);
  const earlier: { reached: string | null }[] = await told.select('reached');
  const now = place(reached) ?? -1;
  return earlier.every((one) => (place(one.reached) ?? -1) < now);
}
