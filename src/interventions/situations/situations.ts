// Everything that decides what support students are given, of one or of a whole class, in a number of statements that does
// not grow with them. Nothing is written.
import { type SchoolYear, schoolYearOf } from '../../catalogue/index.ts';
import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { localDate } from '../../platform/pure/dates/calendar.ts';
import type { Versions } from '../../rulesets/index.ts';
import { type SchoolCalendar, schoolCalendar } from '../assignments/engine/calendar.ts';
import { assignmentsOf, isOpen, type StoredAssignment } from '../assignments/queries.ts';
import type { OpenAssignment } from '../bundles/engine/covering.ts';
import { independentRateOf, type TierCounts } from '../bundles/engine/delivery.ts';
import type { Recommendation, RecommendedProfile } from '../bundles/engine/recommend.ts';
import { type InterventionRules, interventionRules } from '../rules/compiled.ts';
import type { Standing } from '../services.ts';
import { type SupportCounts, supportCounts, windowStart } from '../support-counts/counts.ts';
import { type RecommendationInput, recommendationOf } from './input.ts';
import { type Known, knownOf, profileOf, type StoredProfile } from './known.ts';
import { measuredOn } from './measured-on.ts';
import { type Place, placesOf } from './places.ts';
import { standingsOf } from './standing.ts';

export interface StudentSituation extends Standing {
  readonly studentId: number;
  /** Of the open enrollment; null between classes. */
  readonly classId: number | null;
  /** Between classes that of the last one; null for a student who never was in a class. */
  readonly grade: number | null;
  readonly timeZone: string;
  readonly schoolYear: SchoolYear;
  /** Local date. */
  readonly today: string;
  readonly calendar: SchoolCalendar;
  /** A recompute was asked for and has not come yet. */
  readonly pending: boolean;
  /** Null for a student who was not measured in this school year. */
  readonly stored: StoredProfile | null;
  readonly profile: RecommendedProfile;
  /** Null before the first run of the school year. */
  readonly newestRunId: string | null;
  /** ISO 8601: since when the anchor sub-skill has its status. */
  readonly anchorDecidedAt: string | null;
  /** Too little or conflicting evidence, or no educational profile: nothing is decided about support. */
  readonly halted: boolean;
  readonly open: readonly OpenAssignment[];
  /** Plain data, to be pinned beside what is decided with it. */
  readonly input: RecommendationInput;
  readonly recommendation: Recommendation;
  /** Over the anchor's skill group, 0 to 1; null without a response. */
  readonly independentRate: number | null;
}

export interface Situations {
  /** By student id; who is no living student of the organization is not there. */
  readonly situations: ReadonlyMap<number, StudentSituation>;
  readonly rules: InterventionRules;
  readonly versions: Versions;
  readonly bundleId: string;
}

export interface SituationQuestion {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly now: Date;
  /** As if this assignment had never been. */
  readonly withoutAssignment?: string;
}

/** Throws ENGINE_UNAVAILABLE when a rule document or the item bank is missing. */
export async function situationsOf(trx: Trx, services: Services, of: SituationQuestion): Promise<Situations> {
  const { organizationId, now } = of;
  const { rules: bundle, bundleId } = await services.rules.at(trx, now);
  const rules = interventionRules(bundle);
  const places = (await placesOf(trx, organizationId, of.studentIds)).map((place) => datedPlace(place, rules, now));
  const ids = places.map(({ studentId }) => studentId);
  const known = await knownOf(
    trx,
    organizationId,
    places.map(({ studentId, schoolYear }) => ({ studentId, yearFrom: schoolYear.from })),
  );
  const assignments = (await assignmentsOf(trx, organizationId, ids)).filter(
    ({ assignmentId }) => assignmentId !== of.withoutAssignment,
  );
  const standingOf = await standingsOf(trx, services, organizationId, ids);
  const since = windowStart(now, rules.settings.independenceDays);
  const counts = await supportCounts(trx, organizationId, places, since, now, services.itemBanks);
  const knownById = new Map(known.map((one) => [one.studentId, one]));
  const measured = await measuredOn(trx, organizationId, anchorsAfterPlans(places, knownById, assignments));
  const situations = places.flatMap((place): [number, StudentSituation][] => {
    const { studentId } = place;
    const found = knownById.get(studentId);
    if (!found) return [];
    const own = assignments.filter((one) => one.studentId === studentId);
    const parts = { place, known: found, assignments: own, standing: standingOf(studentId) };
    const answered = { counts: counts.get(studentId), measuredOn: measured.get(studentId) ?? null };
    return [[studentId, situationOf({ ...parts, ...answered }, rules)]];
  });
  return { situations: new Map(situations), rules, versions: bundle.versions, bundleId };
}

interface DatedPlace extends Place {
  readonly schoolYear: SchoolYear;
  readonly today: string;
}

const datedPlace = (place: Place, { profiles }: InterventionRules, now: Date): DatedPlace => ({
  ...place,
  schoolYear: schoolYearOf(now.toISOString(), place.timeZone, profiles.catalogue.schoolYearStart),
  today: localDate(now, place.timeZone),
});

/** Only after a plan has been completed is it asked when the student was measured. */
function anchorsAfterPlans(
  places: readonly DatedPlace[],
  known: ReadonlyMap<number, Known>,
  assignments: readonly StoredAssignment[],
) {
  const completed = new Set(assignments.flatMap(({ studentId, state }) => (state === 'completed' ? [studentId] : [])));
  return places.flatMap(({ studentId, timeZone }) => {
    const subSkillCode = known.get(studentId)?.stored?.anchorSubSkillCode;
    return subSkillCode && completed.has(studentId) ? [{ studentId, subSkillCode, timeZone }] : [];
  });
}

/** Who never was in a class was never measured, and no rule asks further. */
const anyGrade = 1;

interface Parts {
  readonly place: DatedPlace;
  readonly known: Known;
  readonly assignments: readonly StoredAssignment[];
  readonly standing: Standing;
  readonly counts: SupportCounts | undefined;
  readonly measuredOn: string | null;
}

function situationOf(parts: Parts, rules: InterventionRules): StudentSituation {
  const { place, known, assignments, standing } = parts;
  const { studentId, classId, grade, timeZone, schoolYear, today } = place;
  const profile = profileOf(known);
  const counts = groupCounts(parts.counts, profile, rules);
  const open = assignments.filter(isOpen);
  const asked = { ...standing, contextReview: known.contextReview, profile, counts, open, assignments };
  const input = { ...asked, grade: grade ?? anyGrade, measuredOn: parts.measuredOn, today };
  return {
    ...{ studentId, classId, grade, timeZone, schoolYear, today, profile, open, input, ...standing },
    calendar: schoolCalendar(place.weekend, place.holidays),
    pending: known.pending,
    stored: known.stored,
    newestRunId: known.newestRunId,
    anchorDecidedAt: known.anchorDecidedAt,
    halted: profile.outcome !== 'resolved',
    recommendation: recommendationOf(input, rules),
    independentRate: independentRateOf(counts),
  };
}

/** Over all sub-skills of the anchor's skill group. */
function groupCounts(counts: SupportCounts | undefined, profile: RecommendedProfile, { profiles }: InterventionRules) {
  const total: Record<keyof TierCounts, number> = { Level_1: 0, Level_2: 0, Level_3: 0 };
  for (const [subSkillCode, byTask] of counts ?? []) {
    if (profiles.roles.groupOf.get(subSkillCode) !== profile.anchorSkillGroup) continue;
    for (const { Level_1, Level_2, Level_3 } of byTask.values()) {
      total.Level_1 += Level_1;
      total.Level_2 += Level_2;
      total.Level_3 += Level_3;
    }
  }
  return total;
}
