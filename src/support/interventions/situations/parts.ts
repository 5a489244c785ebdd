// Loads the data of students beside their profiles. The number of statements does not depend on the number of students.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { currentGrade, lastGrade } from '#identity/people/index.ts';
import { type SchoolYear, schoolYearOf } from '#rules/catalogue/index.ts';
import { assignmentsOf, type StoredAssignment } from '../assignment-rows/queries.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import type { StudentTier } from '../services.ts';
import { type SupportCounts, supportCounts, windowStart } from '../support-counts/counts.ts';
import { type EnrollmentContext, enrollmentContexts } from './enrollment-context.ts';
import { studentTiersOf } from './support-tiers.ts';

export interface DatedEnrollment extends EnrollmentContext {
  readonly schoolYear: SchoolYear;
  /** Null between classes. */
  readonly currentGrade: number | null;
  /** Between classes the grade of the last one; null for a student who never was in a class. */
  readonly grade: number | null;
  /** Local date. */
  readonly today: string;
}

export interface Parts {
  readonly enrollmentContext: DatedEnrollment;
  /** Open and ended, newest first. */
  readonly assignments: readonly StoredAssignment[];
  readonly studentTier: StudentTier;
  /** Undefined without recent answers. */
  readonly counts: SupportCounts | undefined;
}

export interface PartsQuestion {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly now: Date;
}

/** For living students of the organization, by id. Throws ENGINE_UNAVAILABLE without an item bank. */
export async function loadParts(
  trx: Trx,
  services: Pick<Services, 'capabilities' | 'itemBanks'>,
  { organizationId, studentIds, now }: PartsQuestion,
  rules: InterventionRules,
): Promise<Parts[]> {
  const enrollments = (await enrollmentContexts(trx, organizationId, studentIds)).map((enrollmentContext) =>
    datedEnrollment(enrollmentContext, rules, now),
  );
  const ids = enrollments.map(({ studentId }) => studentId);
  const assignments = await assignmentsOf(trx, organizationId, ids);
  const tierOf = await studentTiersOf(trx, services, organizationId, ids);
  const since = windowStart(now, rules.settings.independenceDays);
  const counts = await supportCounts(trx, organizationId, enrollments, since, now, services);
  const own = new Map<number, StoredAssignment[]>(ids.map((id) => [id, []]));
  for (const one of assignments) own.get(one.studentId)?.push(one);
  return enrollments.map((enrollmentContext) => ({
    enrollmentContext,
    assignments: own.get(enrollmentContext.studentId) ?? [],
    studentTier: tierOf(enrollmentContext.studentId),
    counts: counts.get(enrollmentContext.studentId),
  }));
}

function datedEnrollment(
  enrollmentContext: EnrollmentContext,
  { profiles }: InterventionRules,
  now: Date,
): DatedEnrollment {
  const { timeZone } = enrollmentContext;
  const schoolYear = schoolYearOf(now.toISOString(), timeZone, profiles.catalogue.schoolYearStart);
  return {
    ...enrollmentContext,
    schoolYear,
    currentGrade: currentGrade(enrollmentContext, schoolYear.name),
    grade: lastGrade(enrollmentContext, schoolYear.name),
    today: localDate(now, timeZone),
  };
}
