// Everything that decides on the support of one student or of a class. The number of statements does not depend on the number
// of students, and nothing is written.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { SchoolYear } from '#rules/catalogue/index.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import { type SchoolCalendar, schoolCalendar } from '../engine/assignments/calendar.ts';
import type { OpenAssignment } from '../engine/bundles/covering.ts';
import { independentRateOf } from '../engine/bundles/delivery.ts';
import type { Recommendation, RecommendedProfile } from '../engine/bundles/recommend.ts';
import { type Known, knownOf, recommendedProfileOf, type StoredProfile } from '../profiles/known.ts';
import { type InterventionRules, interventionRules } from '../rules/compiled.ts';
import type { StudentTier } from '../services.ts';
import { type Measured, type RecommendationInput, recommendationInput, recommendationOf } from './input.ts';
import { type AnchorSkill, measuredOn, measurementDays } from './measured-on.ts';
import { loadParts, type Parts, type PartsQuestion } from './parts.ts';

export interface StudentSituation extends StudentTier {
  readonly studentId: number;
  /** The class of the open enrollment, of whatever school year. */
  readonly classId: number | null;
  /** The grade of the class of this school year; null between classes, when nothing is decided. */
  readonly currentGrade: number | null;
  /** Between classes the grade of the last one; null for a student who never was in a class. */
  readonly grade: number | null;
  readonly timeZone: string;
  readonly schoolYear: SchoolYear;
  /** Local date. */
  readonly today: string;
  readonly calendar: SchoolCalendar;
  /** A recompute was requested and has not run yet. */
  readonly pending: boolean;
  /** Null for a student who was not measured in this school year. */
  readonly stored: StoredProfile | null;
  readonly profile: RecommendedProfile;
  /** Null before the first run of the school year. */
  readonly newestRunId: string | null;
  /** ISO 8601; since when the anchor sub-skill has its status. */
  readonly anchorDecidedAt: string | null;
  /** Whether no decision is allowed: too little or conflicting evidence, or no educational profile. */
  readonly halted: boolean;
  readonly open: readonly OpenAssignment[];
  /** Plain data, pinned with the decision. */
  readonly input: RecommendationInput;
  readonly recommendation: Recommendation;
  /** Over the anchor's skill group, 0 to 1; null without a response. */
  readonly independentRate: number | null;
}

export interface Situations {
  /** By student id; living students of the organization only. */
  readonly situations: ReadonlyMap<number, StudentSituation>;
  readonly rules: InterventionRules;
  readonly versions: Versions;
  readonly bundleId: string;
}

/** Throws ENGINE_UNAVAILABLE when a rule document or the item bank is missing. */
export async function situationsOf(trx: Trx, services: Services, of: PartsQuestion): Promise<Situations> {
  const { organizationId, now } = of;
  const { rules: bundle, bundleId } = await services.rules.at(trx, now);
  const rules = interventionRules(bundle);
  const students = await loadParts(trx, services, of, rules);
  const known = await knownOf(
    trx,
    organizationId,
    students.map(({ enrollmentContext: { studentId, schoolYear } }) => ({ studentId, yearFrom: schoolYear.from })),
  );
  const knownById = new Map(known.map((one) => [one.studentId, one]));
  const measuredOf = await anchorMeasurements(trx, organizationId, anchorsAfterPlans(students, knownById), rules);
  const situations = students.flatMap((parts): [number, StudentSituation][] => {
    const { studentId } = parts.enrollmentContext;
    const found = knownById.get(studentId);
    if (!found) return [];
    const measurement = measuredOf({ studentId, subSkillCode: found.stored?.anchorSubSkillCode ?? '' });
    return [[studentId, situationOf(parts, found, measurement, rules)]];
  });
  return { situations: new Map(situations), rules, versions: bundle.versions, bundleId };
}

/** The measurements of anchors after plans; those that no rule asks for are not read. */
export async function anchorMeasurements(
  trx: Trx,
  organizationId: string,
  anchors: readonly AnchorSkill[],
  { recommendation }: Pick<InterventionRules, 'recommendation'>,
): Promise<(anchor: Pick<AnchorSkill, 'studentId' | 'subSkillCode'>) => Omit<Measured, 'contextReview'>> {
  const measured = await measuredOn(trx, organizationId, anchors);
  const days = await measurementDays(trx, organizationId, recommendation.followsPlans ? anchors : []);
  return (anchor) => ({ measuredOn: measured(anchor) ?? null, measurements: days(anchor) ?? [] });
}

/** The date of the anchor's measurement is read only for students with a completed assignment. */
const anchorsAfterPlans = (students: readonly Parts[], known: ReadonlyMap<number, Known>) =>
  students.flatMap(({ enrollmentContext: { studentId, timeZone }, assignments }) => {
    const subSkillCode = known.get(studentId)?.stored?.anchorSubSkillCode;
    const isAsked = subSkillCode && assignments.some(({ state }) => state === 'completed');
    return isAsked ? [{ studentId, subSkillCode, timeZone }] : [];
  });

function situationOf(
  parts: Parts,
  known: Known,
  measurement: Omit<Measured, 'contextReview'>,
  rules: InterventionRules,
): StudentSituation {
  const { enrollmentContext, studentTier } = parts;
  const { studentId, classId, currentGrade, grade, timeZone, schoolYear, today } = enrollmentContext;
  const { contextReview, pending, stored, newestRunId, anchorDecidedAt } = known;
  const profile = recommendedProfileOf(known);
  const input = recommendationInput(parts, profile, { contextReview, ...measurement }, rules);
  return {
    ...{ studentId, classId, currentGrade, grade, timeZone, schoolYear, today, profile, input, ...studentTier },
    ...{ pending, stored, newestRunId, anchorDecidedAt, open: input.open },
    calendar: schoolCalendar(enrollmentContext.weekend, enrollmentContext.holidays),
    halted: profile.outcome !== 'resolved',
    recommendation: recommendationOf(input, rules),
    independentRate: independentRateOf(input.counts),
  };
}
