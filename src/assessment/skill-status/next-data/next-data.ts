// The plans of what to measure next, for a student and a class. They are computed from stored results; nothing is
// written.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { type ClassInScope, currentGrade, type StudentInScope } from '#identity/people/index.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { activeMeasurement, formsFor } from '../../measurement/index.ts';
import { engineVersions, pipelineOf, rolesOf } from '../rules/pipelines.ts';
import { minutesFrom, secondsOfAll } from './engine/plan.ts';
import { packSessions } from './engine/sessions.ts';
import { type PlanRules, planFor } from './engine/student-plan.ts';
import { loadFacts, type Planned, type PlanOf } from './facts.ts';
import { presentClassPlan, presentStudentPlan } from './present.ts';

export async function studentPlan(services: Services, trx: Trx, student: StudentInScope, now: Date) {
  const { id, organizationId, timeZone } = student;
  const gradeIn = (schoolYear: string) => currentGrade(student, schoolYear);
  const input = { organizationId, timeZone, gradeIn, students: { ids: [id] } };
  const { plans, ruleVersions } = await planAll(services, trx, input, now);
  const [plan] = plans;
  if (!plan) throw notFound();
  return presentStudentPlan(plan, ruleVersions);
}

type PlannedClass = Pick<ClassInScope, 'id' | 'organizationId' | 'grade' | 'academicYear' | 'timeZone'>;

export async function classPlan(
  services: Services,
  trx: Trx,
  ofClass: PlannedClass,
  sessionMinutes: number,
  now: Date,
) {
  const { plans, ruleVersions } = await planClass(services, trx, ofClass, now);
  const sessions = packSessions(
    plans.map(({ facts: { studentId }, plan: { actions } }) => ({ studentId, actions })),
    sessionMinutes * 60,
  );
  return presentClassPlan(ofClass.id, plans, sessions, sessionMinutes, ruleVersions);
}

interface ClassNeeds {
  /** Students of whom no run of this school year had something to evaluate, by id. */
  readonly neverMeasured: readonly number[];
  /** Students who are halted in their newest run, by id. */
  readonly halted: readonly number[];
  /** Of all plans of the class. */
  readonly minutes: number;
}

/** What is to be measured in a class, and of whom nothing can be said at present. */
export async function classNeeds(services: Services, trx: Trx, ofClass: PlannedClass, now: Date): Promise<ClassNeeds> {
  const { plans } = await planClass(services, trx, ofClass, now);
  const idsOf = (chosen: (one: PlanOf) => boolean) => plans.filter(chosen).map(({ facts }) => facts.studentId);
  return {
    neverMeasured: idsOf(({ facts }) => !facts.isMeasured),
    halted: idsOf(({ facts }) => facts.halted),
    minutes: minutesFrom(plans.reduce((sum, { plan }) => sum + secondsOfAll(plan.actions), 0)),
  };
}

function planClass(
  services: Services,
  trx: Trx,
  { id: classId, organizationId, timeZone, grade, academicYear }: PlannedClass,
  now: Date,
) {
  const gradeIn = (schoolYear: string) => (academicYear === schoolYear ? grade : null);
  return planAll(services, trx, { organizationId, timeZone, gradeIn, students: { classId } }, now);
}

interface PlanQuery extends Omit<Planned, 'yearFrom' | 'grade'> {
  readonly timeZone: string;
  /** Between classes nothing of a grade is planned, since nothing of it could be started. */
  gradeIn(schoolYear: string): number | null;
}

async function planAll(services: Services, trx: Trx, { timeZone, gradeIn, ...input }: PlanQuery, now: Date) {
  const measurement = await activeMeasurement(services, trx, now);
  const { catalogue, thresholds } = pipelineOf(measurement.bundle);
  const { values, bank, bundle } = measurement;
  const rules: PlanRules = {
    catalogue,
    roles: rolesOf(bundle),
    bank,
    needLimits: thresholds,
    selectionLimits: values,
    formsOf: (grade) => formsFor(grade, measurement),
  };
  const { from: yearFrom, name: schoolYear } = schoolYearOf(now.toISOString(), timeZone, catalogue.schoolYearStart);
  const facts = await loadFacts(
    trx,
    { ...input, yearFrom, grade: gradeIn(schoolYear) },
    new Date(now.getTime() - values.seenDays * dayMs),
  );
  const asked = ['scoring/measurement', 'profile/settings'] as const;
  const others = asked.flatMap((name) => (bundle.versions[name] ? [[name, bundle.versions[name]]] : []));
  const ruleVersions = { ...engineVersions(bundle.versions), ...Object.fromEntries(others) };
  return { plans: facts.map((one): PlanOf => ({ facts: one, plan: planFor(one, rules) })), ruleVersions };
}
