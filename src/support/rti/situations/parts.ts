// Loads the stored data of students for tiers, alerts and decisions. The number of statements does not depend on the number of
// students.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { lastGrade } from '#identity/people/index.ts';
import { type SchoolYear, schoolYearOf } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { type PooledAssignments, pooledOf } from '../../fidelity/index.ts';
import {
  BundleAssignment,
  type EnrollmentContext,
  enrollmentContexts,
  type InterventionRules,
  type Known,
  knownOf,
} from '../../interventions/index.ts';
import { alertsOf, type RtiAlert } from '../rows/alerts.ts';
import { type LastDecision, newestDecisions } from '../rows/decisions.ts';
import { newestMovements, type TierMovement } from '../rows/movements.ts';
import { loadRtiEvidence, type RtiEvidence } from './evidence.ts';
import type { FocusAssignmentRow } from './focus-assignments.ts';

export interface RtiPartsQuestion {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly now: Date;
}

interface Dated {
  readonly enrollmentContext: EnrollmentContext;
  /** Local date. */
  readonly today: string;
  readonly year: SchoolYear;
  /** Between classes the grade of the last one; null for a student who never was in a class. */
  readonly grade: number | null;
}

interface History {
  readonly movement: TierMovement | undefined;
  readonly lastDecision: LastDecision | undefined;
  /** Oldest first, closed ones included. */
  readonly alerts: readonly RtiAlert[];
}

export interface StudentParts extends Dated, History, RtiEvidence {
  readonly known: Known;
  readonly fidelity: PooledAssignments;
  readonly assignments: readonly FocusAssignmentRow[];
}

interface Rules {
  readonly bundle: RuleBundle;
  readonly rules: InterventionRules;
}

/** For living students of the organization, by id. Throws ENGINE_UNAVAILABLE. */
export async function loadRtiParts(
  trx: Trx,
  services: Pick<Services, 'rules'>,
  { organizationId, studentIds, now }: RtiPartsQuestion,
  inForce: Rules,
): Promise<StudentParts[]> {
  const students = (await enrollmentContexts(trx, organizationId, studentIds)).map((enrollmentContext) =>
    dated(enrollmentContext, inForce.rules, now),
  );
  const ids = students.map(({ enrollmentContext }) => enrollmentContext.studentId);
  const known = byStudent(await knownOf(trx, organizationId, students.map(inYear)));
  const historyOf = await loadHistories(trx, organizationId, ids);
  const since = ids.map((studentId) => ({ studentId, tierSince: historyOf(studentId).movement?.effectiveOn ?? null }));
  const pooled = await pooledOf(trx, services, { organizationId, students: since, now });
  const assignments = await assignmentsOf(trx, organizationId, ids);
  const alerts = ids.flatMap((studentId) => historyOf(studentId).alerts);
  const asked = { organizationId, students: students.map(inSeries), known, alerts, now };
  const evidenceOf = await loadRtiEvidence(trx, asked, inForce);
  return students.flatMap((student) => {
    const { studentId } = student.enrollmentContext;
    const [who, fidelity] = [known.get(studentId), pooled.get(studentId)];
    if (!who || !fidelity) return [];
    const own = assignments.filter((assignment) => assignment.studentId === studentId);
    return [{ ...student, ...historyOf(studentId), ...evidenceOf(studentId), known: who, fidelity, assignments: own }];
  });
}

function dated(enrollmentContext: EnrollmentContext, { profiles }: InterventionRules, now: Date): Dated {
  const { timeZone } = enrollmentContext;
  const year = schoolYearOf(now.toISOString(), timeZone, profiles.catalogue.schoolYearStart);
  return { enrollmentContext, today: localDate(now, timeZone), year, grade: lastGrade(enrollmentContext, year.name) };
}

const inYear = ({ enrollmentContext: { studentId }, year }: Dated) => ({ studentId, yearFrom: year.from });

const inSeries = ({ enrollmentContext: { studentId, timeZone }, today, year }: Dated) => ({
  studentId,
  yearFrom: localDate(new Date(year.from), timeZone),
  asOf: today,
});

const byStudent = <T extends { readonly studentId: number }>(rows: readonly T[]): ReadonlyMap<number, T> =>
  new Map(rows.map((row) => [row.studentId, row]));

async function loadHistories(trx: Trx, organizationId: string, ids: readonly number[]) {
  const movements = await newestMovements(trx, organizationId, ids);
  const decisions = await newestDecisions(trx, organizationId, ids);
  const alerts = new Map<number, RtiAlert[]>(ids.map((id) => [id, []]));
  for (const alert of await alertsOf(trx, organizationId, ids)) alerts.get(alert.studentId)?.push(alert);
  return (studentId: number): History => ({
    movement: movements.get(studentId),
    lastDecision: decisions.get(studentId),
    alerts: alerts.get(studentId) ?? [],
  });
}

async function assignmentsOf(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<FocusAssignmentRow[]> {
  const named = ['id', 'studentId', 'bundleId', 'objectType', 'state', 'anchorRole', 'activatedAt'] as const;
  return BundleAssignment.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .orderBy('id')
    .select(...named, 'startOn', 'endedOn', 'pauses');
}
