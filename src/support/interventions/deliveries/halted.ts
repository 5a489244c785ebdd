// Students who are halted: their sessions are counted, and no goal is evaluated.

import type { Trx } from '#core/platform/db.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { knownOf, recommendedProfileOf } from '../profiles/known.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import type { SessionAssignment } from './session-assignments.ts';

/** Ids of students. */
export type Halts = ReadonlySet<number>;

/** An incomplete profile does not halt goals: the steps use `dndy` alone. */
export async function haltedAssignments(
  trx: Trx,
  organizationId: string,
  assignments: readonly SessionAssignment[],
  { profiles }: Pick<InterventionRules, 'profiles'>,
  now: Date,
): Promise<Halts> {
  const students = assignments.map(({ enrollment: { studentId, timeZone } }) => ({
    studentId,
    yearFrom: schoolYearOf(now.toISOString(), timeZone, profiles.catalogue.schoolYearStart).from,
  }));
  const known = await knownOf(trx, organizationId, students);
  return new Set(
    known.filter((one) => recommendedProfileOf(one).outcome === 'do_not_decide_yet').map(({ studentId }) => studentId),
  );
}
