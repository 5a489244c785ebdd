// Regained levels earn nothing: within a school year, growth is dropped when an earlier event of the same kind and code
// has reached the same or a better state or status.
import type { Trx } from '#core/platform/db.ts';
import type { MasterySourceKind } from '../../engine/enums.ts';
import { rankOf } from '../../engine/growth/rises.ts';
import { masteryLedgersOf } from '../../ledger/ledgers.ts';
import type { PossibleGrowth, StudentGrowth } from '../../ledger/record.ts';

/** Worst to best (51 §4.1). */
const stateOrder: readonly (string | null)[] = ['monitoring', 'on_track', 'maintenance'];

type Rank = (reached: string | null) => number | undefined;

const ranks: Partial<Record<MasterySourceKind, Rank>> = {
  subskill_state_up: (state) => stateOrder.indexOf(state),
  skill_status_transition: rankOf,
  domain_status_escalation: rankOf,
};

/** An event that is in a student's ledger or may be added to it. */
type ReachedValue = Pick<PossibleGrowth, 'sourceKind' | 'schoolYear' | 'subSkillCode' | 'domainCode' | 'reached'>;

/** Returns whether growth reaches a level for the first time. `earlier` is the ledger before it. */
export function isReachedFirst(earlier: readonly ReachedValue[], growth: ReachedValue): boolean {
  const rankBy = ranks[growth.sourceKind];
  if (!rankBy) return true;
  const now = rankBy(growth.reached) ?? -1;
  return earlier.filter((one) => isSameSkill(one, growth)).every((one) => (rankBy(one.reached) ?? -1) < now);
}

const isSameSkill = (one: ReachedValue, other: ReachedValue): boolean =>
  one.sourceKind === other.sourceKind &&
  one.schoolYear === other.schoolYear &&
  one.subSkillCode === other.subSkillCode &&
  one.domainCode === other.domainCode;

/** Drops regained growth, also within the given list. The caller holds the locks of the students' rows. */
export async function withoutRegained(
  trx: Trx,
  { organizationId }: { readonly organizationId: string },
  students: readonly StudentGrowth[],
): Promise<StudentGrowth[]> {
  const ledgers = await masteryLedgersOf(
    trx,
    organizationId,
    students.map(({ studentId }) => studentId),
  );
  return students.map(({ studentId, growths }) => {
    const reached: ReachedValue[] = [...ledgers(studentId)];
    const fresh = growths.filter((growth) => {
      const isFirst = isReachedFirst(reached, growth);
      if (isFirst) reached.push(growth);
      return isFirst;
    });
    return { studentId, growths: fresh };
  });
}
