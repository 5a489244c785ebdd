// Interventions of the demo's teachers: groups, a bundle for the largest group that has been taught for some weeks, and
// single assignments in every other state.

import type { Trx } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { BundleAssignment, supportCommands } from '#support/interventions/index.ts';
import { chosenFor, type DemoAssignment, sessionDays, singleAssignments } from '../engine/assignments.ts';
import { asTeacher, type Classroom, callOf, today } from './classroom.ts';
import { deliverSessionsOn, prepareNextSessions } from './teach.ts';

/** Performs each step as a request would. Resumes after an interruption. */
export async function giveSupport(classroom: Classroom): Promise<void> {
  await supportGroup(classroom);
  await supportSingles(classroom);
}

interface AssignmentRow {
  readonly id: string;
  readonly studentId: number;
  readonly bundleId: string;
  readonly state: string;
}

/** Returns assignments, oldest first. */
const assignmentsOf = (
  { organizationId, classRow }: Classroom,
  trx: Trx,
  sourceType: string,
): Promise<AssignmentRow[]> =>
  BundleAssignment.query(trx)
    .where({ organizationId, classId: classRow.id, sourceType })
    .orderBy(['activatedAt', 'studentId', 'id'])
    .select('id', 'studentId', 'bundleId', 'state')
    .execute();

/** Assigns a bundle to the largest activatable group and delivers its sessions; one child's assignment is paused. */
async function supportGroup(classroom: Classroom): Promise<void> {
  const days = sessionDays(today(classroom));
  if ((await asTeacher(classroom, (trx) => assignmentsOf(classroom, trx, 'cluster'))).length === 0) {
    await assignToLargestGroup(classroom, days[0] ?? today(classroom));
  }
  const group = () => asTeacher(classroom, (trx) => assignmentsOf(classroom, trx, 'cluster'));
  const given = await group();
  const [assignment] = given;
  if (!assignment) return;
  if (given.every(({ state }) => state === 'active')) await deliverSessionsOn(classroom, assignment.bundleId, days);
  const active = (await group()).filter(({ state }) => state === 'active');
  const away = active.at(-1);
  if (away && active.length === given.length) {
    const body = { assignmentId: away.id, action: 'pause', reasonCode: 'Long_Absence' } as const;
    await asTeacher(classroom, (trx) => supportCommands.review(callOf(classroom, trx, body)));
  }
  const studentIds = given.map(({ studentId }) => studentId);
  await prepareNextSessions(classroom, assignment.bundleId, studentIds);
}

async function assignToLargestGroup(classroom: Classroom, startOn: string): Promise<void> {
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

/** Gives each of some children outside the group another kind of assignment. */
async function supportSingles(classroom: Classroom): Promise<void> {
  const given = await asTeacher(classroom, (trx) => assignmentsOf(classroom, trx, 'individual'));
  const begun = new Set(given.map(({ studentId }) => studentId)).size;
  const wanting = await asTeacher(classroom, (trx) => wantingStudents(classroom, trx));
  for (const [slot, assignment] of singleAssignments.slice(begun).entries()) {
    const student = wanting[slot];
    if (student) await asTeacher(classroom, (trx) => giveAssignment(classroom, trx, student, assignment));
  }
}

interface Wanting {
  readonly studentId: number;
  readonly bundle_id: string;
}

/** Sorted by student id; students with an assignment are left out. */
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

async function giveAssignment(
  classroom: Classroom,
  trx: Trx,
  { studentId, bundle_id }: Wanting,
  assignment: DemoAssignment,
): Promise<void> {
  const startOn = daysAfter(today(classroom), assignment.startsInDays);
  const answer = await supportCommands.activate(callOf(classroom, trx, { studentId, bundle_id, startOn }));
  if (answer.status !== 201 || assignment.move === null) return;
  const body = { assignmentId: answer.body.assignmentId, ...chosenFor(assignment.move, bundle_id) };
  await supportCommands.review(callOf(classroom, trx, body));
}
