// Changes of assignments without a request: the start date comes (AS-03), the student leaves or changes class (AS-10), weeks
// pass without a session, the end passes (AS-13). They are evaluated again under the lock of the student's support.
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { BundleAssignment } from '../assignment-rows/store.ts';
import { moved } from '../engine/assignments/moves.ts';
import { openStates } from '../engine/vocabulary.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import { type EnrollmentContext, enrollmentContexts } from '../situations/enrollment-context.ts';
import { lockSupport } from '../support/lock.ts';
import { type AssignmentChange, changeAssignment } from './change.ts';
import { type EndRun, expiredChange, followedEndOf } from './ends.ts';
import { suggestion } from './events.ts';
import { leavingProviders } from './providers.ts';
import { type DeliveredDays, deliveredDays, momentAt, trackOf } from './track.ts';

/** The reason of AS-10. */
const left = 'Student_Left';

export interface FollowedStudents {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly now: Date;
}

/** AS-10. It asks no rules, so that it works without any in force. */
export async function followEnrollment(trx: Trx, followed: FollowedStudents): Promise<void> {
  const { organizationId, now } = followed;
  const before = await openAssignmentsOf(trx, followed);
  const astray = before.filter(({ row, enrollment }) => hasChanged(row, enrollmentChange(row, enrollment, now)));
  if (astray.length === 0) return;
  const studentIds = [...new Set(astray.map(({ row }) => row.studentId))];
  await lockSupport(trx, organizationId, studentIds);
  const open = await openAssignmentsOf(trx, { ...followed, studentIds });
  const changes = open.map(({ row, enrollment }) => {
    return { row, change: different(row, enrollmentChange(row, enrollment, now)), told: null };
  });
  await writeDue(trx, changes, now);
}

/** Students with a due change of an assignment. Takes no lock and writes nothing. */
export async function studentsWithDueChanges(
  trx: Trx,
  followed: FollowedStudents,
  rules: InterventionRules,
  ends?: EndRun,
): Promise<number[]> {
  const due = await openDue(trx, followed, rules, ends);
  return [...new Set(due.map(({ row }) => row.studentId))];
}

/** A change of an assignment that is due and not written yet. */
export interface Due {
  readonly row: BundleAssignment;
  readonly change: AssignmentChange;
  /** What is told about its end. */
  readonly told: 'plan_overdue' | 'plan_expired' | null;
}

/** Locks the support of the students and returns all due changes; writes nothing. Ends of plans are those of a daily run. */
export async function dueOf(
  trx: Trx,
  followed: FollowedStudents,
  rules: InterventionRules,
  ends?: EndRun,
): Promise<Due[]> {
  await lockSupport(trx, followed.organizationId, followed.studentIds);
  return openDue(trx, followed, rules, ends);
}

async function openDue(trx: Trx, followed: FollowedStudents, rules: InterventionRules, ends?: EndRun): Promise<Due[]> {
  const { rows, delivered } = await openWithDays(trx, followed);
  const known = { delivered, rules, ends, now: followed.now };
  return rows
    .map(({ row, enrollment }) => {
      const { change, told = null } = dueChange(row, enrollment, known);
      return { row, change: different(row, change), told };
    })
    .filter(({ change }) => Object.keys(change).length > 0);
}

export async function writeDue(trx: Trx, due: readonly Due[], now: Date): Promise<void> {
  const moving = due.filter(({ change }) => change.classId !== undefined).map(({ row }) => row);
  const leaving = await leavingProviders(trx, moving);
  for (const { row, change, told } of due) {
    const awaiting = leaving.has(row.id) ? { awaitsProvider: true } : {};
    await changeAssignment(trx, row, { ...change, ...awaiting }, now, told === null ? [] : [suggestion(row, told)]);
  }
}

export const catchUp = async (trx: Trx, followed: FollowedStudents, rules: InterventionRules): Promise<void> =>
  writeDue(trx, await dueOf(trx, followed, rules), followed.now);

export interface EnrolledAssignment {
  readonly row: BundleAssignment;
  /** For a student who was erased it is the last one. */
  readonly enrollment: EnrollmentContext;
}

export async function openAssignmentsOf(
  trx: Trx,
  { organizationId, studentIds }: FollowedStudents,
): Promise<EnrolledAssignment[]> {
  const rows = await BundleAssignment.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .whereIn('state', [...openStates])
    .orderBy(['studentId', 'activatedAt', 'id']);
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map(({ studentId }) => studentId))];
  const enrollments = new Map(
    (await enrollmentContexts(trx, organizationId, ids, 'erased too')).map((one) => [one.studentId, one]),
  );
  return rows.flatMap((row) => {
    const enrollment = enrollments.get(row.studentId);
    return enrollment ? [{ row, enrollment }] : [];
  });
}

async function openWithDays(trx: Trx, followed: FollowedStudents) {
  const rows = await openAssignmentsOf(trx, followed);
  const ids = rows.map(({ row }) => row.id);
  return { rows, delivered: await deliveredDays(trx, followed.organizationId, ids) };
}

function enrollmentChange(
  { state }: BundleAssignment,
  { classId, timeZone }: EnrollmentContext,
  now: Date,
): AssignmentChange {
  const stopped = classId === null ? moved(state, 'leave') : null;
  if (classId !== null || stopped === null) return classId === null ? {} : { classId };
  return { state: stopped, reasonCode: left, endedOn: localDate(now, timeZone), trackStatus: 'not_applicable' };
}

interface KnownOfAll {
  readonly delivered: DeliveredDays;
  readonly rules: InterventionRules;
  readonly ends: EndRun | undefined;
  readonly now: Date;
}

function dueChange(
  row: BundleAssignment,
  enrollment: EnrollmentContext,
  { delivered, rules, ends, now }: KnownOfAll,
): Pick<Due, 'change'> & Partial<Due> {
  const enrolled = enrollmentChange(row, enrollment, now);
  if (enrolled.state) return { change: enrolled };
  const end = ends && followedEndOf(row, enrollment, rules, { ...ends, now });
  const moment = momentAt(enrollment, now);
  if (end?.expires) {
    const isHalted = ends?.halted.has(row.studentId) ?? false;
    const change = expiredChange(row, { ...moment, delivered, isHalted }, rules);
    return { change: { ...enrolled, ...change }, told: 'plan_expired' };
  }
  const state = (row.startOn <= moment.today ? moved(row.state, 'start') : null) ?? row.state;
  const trackStatus = trackOf({ ...row, state }, delivered, moment, rules);
  return { change: { ...enrolled, state, trackStatus, ...end?.state }, told: end?.isTold ? 'plan_overdue' : null };
}

/** The fields of a change that differ from the row. */
const different = (row: BundleAssignment, change: AssignmentChange): AssignmentChange =>
  Object.fromEntries(Object.entries(change).filter(([name, value]) => row[name as keyof AssignmentChange] !== value));

const hasChanged = (row: BundleAssignment, change: AssignmentChange): boolean =>
  Object.keys(different(row, change)).length > 0;
