// What the demo's teachers have begun to do about what was measured: groups that were found, a bundle for the largest one
// that is taught since some weeks, and for single children a plan in every other state that a plan can be in.

import type { Trx } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { supportCommands } from '#support/interventions/index.ts';
import { chosenFor, type Plan, sessionDays, singlePlans } from '../engine/plans.ts';
import { asTeacher, type Classroom, callOf, today } from './classroom.ts';
import { deliverSessionsOn, planNext } from './teach.ts';

/** Each step as a request would be; what an interruption has left is found and gone on with. */
export async function giveSupport(classroom: Classroom): Promise<void> {
  await supportGroup(classroom);
  await supportSingles(classroom);
}

interface GivenRow {
  readonly id: string;
  readonly studentId: number;
  readonly bundleId: string;
  readonly state: string;
}

/** Oldest first. */
const plansOf = ({ organizationId, classRow }: Classroom, trx: Trx, sourceType: string): Promise<GivenRow[]> =>
  trx('bundleAssignment')
    .where({ organizationId, classId: classRow.id, sourceType })
    .orderBy(['activatedAt', 'studentId', 'id'])
    .select('id', 'studentId', 'bundleId', 'state');

/** The largest group that can be taught together, on the days of the last weeks; one of its children is away now. */
async function supportGroup(classroom: Classroom): Promise<void> {
  const days = sessionDays(today(classroom));
  if ((await asTeacher(classroom, (trx) => plansOf(classroom, trx, 'cluster'))).length === 0) {
    await giveToLargest(classroom, days[0] ?? today(classroom));
  }
  const group = () => asTeacher(classroom, (trx) => plansOf(classroom, trx, 'cluster'));
  const given = await group();
  const [plan] = given;
  if (!plan) return;
  if (given.every(({ state }) => state === 'active')) await deliverSessionsOn(classroom, plan.bundleId, days);
  const active = (await group()).filter(({ state }) => state === 'active');
  const away = active.at(-1);
  if (away && active.length === given.length) {
    const body = { assignmentId: away.id, action: 'pause', reasonCode: 'Long_Absence' } as const;
    await asTeacher(classroom, (trx) => supportCommands.review(callOf(classroom, trx, body)));
  }
  const studentIds = given.map(({ studentId }) => studentId);
  await planNext(classroom, plan.bundleId, studentIds);
}

async function giveToLargest(classroom: Classroom, startOn: string): Promise<void> {
  const { services, classRow } = classroom;
  const { clusters } = await asTeacher(classroom, (trx) => supportCommands.recomputeGroups(services, trx, classRow));
  const [largest] = clusters
    .filter(({ activatable }) => activatable)
    .toSorted((one, other) => other.memberStudentIds.length - one.memberStudentIds.length);
  if (!largest) return;
  const body = {
    clusterKey: largest.clusterKey,
    confirmedMemberStudentIds: [...largest.memberStudentIds],
    startOn,
  };
  await asTeacher(classroom, (trx) => supportCommands.bulkActivate(callOf(classroom, trx, body)));
}

/** Children outside the group for whom something is recommended, each with another plan. */
async function supportSingles(classroom: Classroom): Promise<void> {
  const given = await asTeacher(classroom, (trx) => plansOf(classroom, trx, 'individual'));
  const begun = new Set(given.map(({ studentId }) => studentId)).size;
  const wanting = await asTeacher(classroom, (trx) => wantingStudents(classroom, trx));
  for (const [place, plan] of singlePlans.slice(begun).entries()) {
    const student = wanting[place];
    if (student) await asTeacher(classroom, (trx) => givePlan(classroom, trx, student, plan));
  }
}

interface Wanting {
  readonly studentId: number;
  readonly bundle_id: string;
}

/** By student id; who has had a plan is left out. */
async function wantingStudents({ services, organizationId, classRow, now }: Classroom, trx: Trx): Promise<Wanting[]> {
  const rows: { studentId: number }[] = await trx('enrollment as e')
    .where({ 'e.organizationId': organizationId, 'e.classId': classRow.id })
    .whereNull('e.enrolledTo')
    .whereNotExists(
      trx('bundleAssignment as a')
        .where({ 'a.organizationId': organizationId })
        .whereRaw('a.student_id = e.student_id')
        .select('a.id'),
    )
    .orderBy('e.studentId')
    .select('e.studentId');
  const studentIds = rows.map(({ studentId }) => studentId);
  const { situations } = await supportCommands.situationsOf(trx, services, { organizationId, studentIds, now });
  return [...situations.values()].flatMap(({ studentId, recommendation }) =>
    recommendation.outcome === 'recommended' && recommendation.action === 'activate'
      ? [{ studentId, bundle_id: recommendation.bundle.bundle_id }]
      : [],
  );
}

async function givePlan(classroom: Classroom, trx: Trx, { studentId, bundle_id }: Wanting, plan: Plan): Promise<void> {
  const startOn = daysAfter(today(classroom), plan.startsInDays);
  const answer = await supportCommands.activate(callOf(classroom, trx, { studentId, bundle_id, startOn }));
  if (answer.status !== 201 || plan.move === null) return;
  const body = { assignmentId: answer.body.assignmentId, ...chosenFor(plan.move, bundle_id) };
  await supportCommands.review(callOf(classroom, trx, body));
}
