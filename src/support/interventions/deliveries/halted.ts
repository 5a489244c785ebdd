// Of whom nothing may be judged: a session of theirs is counted, and no goal looked at.

import type { Trx } from '#core/platform/db.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { knownOf, profileOf } from '../profiles/known.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import type { OpenPlan } from './plans.ts';

/** Ids of students. */
export type Halts = ReadonlySet<number>;

/** A profile that is only incomplete halts no goal: the steps ask for `dndy` alone. */
export async function haltedAmong(
  trx: Trx,
  organizationId: string,
  plans: readonly OpenPlan[],
  { profiles }: Pick<InterventionRules, 'profiles'>,
  now: Date,
): Promise<Halts> {
  const students = plans.map(({ place: { studentId, timeZone } }) => ({
    studentId,
    yearFrom: schoolYearOf(now.toISOString(), timeZone, profiles.catalogue.schoolYearStart).from,
  }));
  const known = await knownOf(trx, organizationId, students);
  return new Set(
    known.filter((one) => profileOf(one).outcome === 'do_not_decide_yet').map(({ studentId }) => studentId),
  );
}
