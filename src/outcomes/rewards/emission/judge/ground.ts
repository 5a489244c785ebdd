// Ground that was lost and is regained pays once: in a school year nothing is told of a state or status that an earlier event
// of the same kind and code has reached or passed.
import type { Trx } from '#core/platform/db.ts';
import { rankOf } from '../../engine/growth/rises.ts';
import type { MasterySourceKind } from '../../engine/vocabulary.ts';
import { ledgersOf } from '../../ledger/known.ts';
import type { Growth, StudentGrowth } from '../../ledger/record.ts';

/** Worst to best (51 §4.1). */
const stateOrder: readonly (string | null)[] = ['monitoring', 'on_track', 'maintenance'];

type Place = (reached: string | null) => number | undefined;

const places: Partial<Record<MasterySourceKind, Place>> = {
  subskill_state_up: (state) => stateOrder.indexOf(state),
  skill_status_transition: rankOf,
  domain_status_escalation: rankOf,
};

/** What there is of a student's ledger, or will be. */
type Ground = Pick<Growth, 'sourceKind' | 'schoolYear' | 'subSkillCode' | 'domainCode' | 'reached'>;

/** `earlier`: the ledger before it. */
export function isNewGround(earlier: readonly Ground[], growth: Ground): boolean {
  const place = places[growth.sourceKind];
  if (!place) return true;
  const now = place(growth.reached) ?? -1;
  return earlier.filter((one) => isSameGround(one, growth)).every((one) => (place(one.reached) ?? -1) < now);
}

const isSameGround = (one: Ground, other: Ground): boolean =>
  one.sourceKind === other.sourceKind &&
  one.schoolYear === other.schoolYear &&
  one.subSkillCode === other.subSkillCode &&
  one.domainCode === other.domainCode;

/** Under the locks of the students' rows. What one growth has reached counts for those that are told after it. */
export async function onNewGround(
  trx: Trx,
  { organizationId }: { readonly organizationId: string },
  told: readonly StudentGrowth[],
): Promise<StudentGrowth[]> {
  const ledgers = await ledgersOf(
    trx,
    organizationId,
    told.map(({ studentId }) => studentId),
  );
  return told.map(({ studentId, growths }) => {
    const ground: Ground[] = [...ledgers(studentId)];
    const fresh = growths.filter((growth) => {
      const isNew = isNewGround(ground, growth);
      if (isNew) ground.push(growth);
      return isNew;
    });
    return { studentId, growths: fresh };
  });
}
