// What is known of students beside their profiles, in a number of statements that does not grow with them.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { type SchoolYear, schoolYearOf } from '#rules/catalogue/index.ts';
import { assignmentsOf, type StoredAssignment } from '../plans/queries.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import type { Standing } from '../services.ts';
import { type SupportCounts, supportCounts, windowStart } from '../support-counts/counts.ts';
import { type Place, placesOf } from './places.ts';
import { standingsOf } from './standing.ts';

export interface DatedPlace extends Place {
  readonly schoolYear: SchoolYear;
  /** Local date. */
  readonly today: string;
}

export interface Parts {
  readonly place: DatedPlace;
  /** Open and ended, newest first. */
  readonly assignments: readonly StoredAssignment[];
  readonly standing: Standing;
  /** Undefined where nothing was answered lately. */
  readonly counts: SupportCounts | undefined;
}

export interface PartsQuestion {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly now: Date;
}

/** Of living students of the organization, by id. Throws ENGINE_UNAVAILABLE without an item bank. */
export async function loadParts(
  trx: Trx,
  services: Pick<Services, 'capabilities' | 'itemBanks'>,
  { organizationId, studentIds, now }: PartsQuestion,
  rules: InterventionRules,
): Promise<Parts[]> {
  const places = (await placesOf(trx, organizationId, studentIds)).map((place) => datedPlace(place, rules, now));
  const ids = places.map(({ studentId }) => studentId);
  const assignments = await assignmentsOf(trx, organizationId, ids);
  const standingOf = await standingsOf(trx, services, organizationId, ids);
  const since = windowStart(now, rules.settings.independenceDays);
  const counts = await supportCounts(trx, organizationId, places, since, now, services);
  const own = new Map<number, StoredAssignment[]>(ids.map((id) => [id, []]));
  for (const one of assignments) own.get(one.studentId)?.push(one);
  return places.map((place) => ({
    place,
    assignments: own.get(place.studentId) ?? [],
    standing: standingOf(place.studentId),
    counts: counts.get(place.studentId),
  }));
}

const datedPlace = (place: Place, { profiles }: InterventionRules, now: Date): DatedPlace => ({
  ...place,
  schoolYear: schoolYearOf(now.toISOString(), place.timeZone, profiles.catalogue.schoolYearStart),
  today: localDate(now, place.timeZone),
});
