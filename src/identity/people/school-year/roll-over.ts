// Moves a school into the new school year: its classes are made, its students move on. One transaction; the number of statements
// depends neither on the classes nor on the students.
import { raw } from 'objection';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { appendEnrollmentChanges, appendGrades } from '../classes/enrollment.ts';
import { ClassTeacher, Enrollment, type School, SchoolClass, SchoolRollOver } from '../records/organizations.ts';
import { lockAccounts, lockSchool } from './lock.ts';
import { planRollOver, type RolledClass, type RollOverInput, type RollOverPlan, type SchoolKey } from './plan.ts';
import { type SchoolToday, todayAtSchool, yearAfter } from './years.ts';

export interface RolledOver extends RollOverPlan {
  /** Null when nothing was written. */
  readonly rollOverId: number | null;
}

interface RollOverCall {
  readonly services: Services;
  readonly trx: Trx;
  readonly school: School;
  readonly actor: { readonly userId: number };
  readonly input: RollOverInput;
}

/** Writes nothing. Throws VALIDATION_ERROR on `fromYear` unless it is the current school year or the one before it. */
export async function previewRollOver(call: RollOverCall): Promise<RolledOver> {
  const { schoolYear } = await todayOf(call);
  if (call.input.fromYear !== schoolYear) requireYearBefore(call.input, schoolYear);
  return { ...(await planRollOver(call.trx, keyOf(call.school), call.input)), rollOverId: null };
}

/**
 * Throws VALIDATION_ERROR on `fromYear` unless it is the year before the current one, and what `planRollOver` throws. A student
 * who is enrolled while the locks are awaited stays in the class of the old year.
 */
export async function rollOverSchool(call: RollOverCall): Promise<RolledOver> {
  const { trx, input } = call;
  const key = keyOf(call.school);
  requireYearBefore(input, (await todayOf(call)).schoolYear);
  const expected = await planRollOver(trx, key, input);
  const locked = await lockAccounts(trx, key.organizationId, await peopleOf(trx, key, expected));
  await lockSchool(trx, key, [input.fromYear, yearAfter(input.fromYear)]);
  const plan = withoutOthers(await planRollOver(trx, key, input), locked);
  const now = call.services.clock.now();
  if (!plan.classes.some(({ isNew, studentIds }) => isNew || studentIds.length > 0))
    return { ...plan, rollOverId: null };
  const { today } = await todayAtSchool(call.services, trx, call.school, now);
  return write({ trx, key, plan, today, accountIds: locked, actor: call.actor, fromYear: input.fromYear, now });
}

const keyOf = ({ id: schoolId, organizationId }: School): SchoolKey => ({ schoolId, organizationId });

const todayOf = ({ services, trx, school }: RollOverCall): Promise<SchoolToday> =>
  todayAtSchool(services, trx, school, services.clock.now());

function requireYearBefore({ fromYear }: RollOverInput, schoolYear: string): void {
  if (yearAfter(fromYear) !== schoolYear) {
    throw invalid('fromYear', 'not_allowed', `The classes of the year before ${schoolYear} are rolled over.`);
  }
}

/** Returns students and teachers of the classes. */
async function peopleOf(trx: Trx, { organizationId }: SchoolKey, { classes }: RollOverPlan): Promise<number[]> {
  const classIds = classes.map(({ fromClassId }) => fromClassId);
  const teachers = await ClassTeacher.query(trx)
    .where({ organizationId })
    .whereRaw('class_id = any(?::bigint[])', [classIds])
    .distinct('teacherUserId');
  const students = classes.flatMap(({ studentIds }) => studentIds);
  return [...new Set([...students, ...teachers.map(({ teacherUserId }) => teacherUserId)])];
}

const withoutOthers = (plan: RollOverPlan, locked: ReadonlySet<number>): RollOverPlan => ({
  ...plan,
  classes: plan.classes.map((one) => ({ ...one, studentIds: one.studentIds.filter((id) => locked.has(id)) })),
});

interface Writing {
  readonly trx: Trx;
  readonly key: SchoolKey;
  readonly plan: RollOverPlan;
  /** Local date of the school. */
  readonly today: string;
  /** Locked accounts of students and teachers. */
  readonly accountIds: ReadonlySet<number>;
  readonly actor: { readonly userId: number };
  readonly fromYear: string;
  readonly now: Date;
}

async function write(writing: Writing): Promise<RolledOver> {
  const { trx, key, plan, actor, fromYear, now } = writing;
  const { id: rollOverId } = await SchoolRollOver.query(trx).insertAndFetch({
    ...{ ...key, fromYear, toYear: plan.toYear },
    ...{ rolledAt: now.toISOString(), rolledBy: actor.userId, undoneAt: null, undoneBy: null },
  });
  const classes = await makeClasses(writing, rollOverId);
  await carryTeachers(writing, classes);
  const ended = await endEnrollments(writing, rollOverId);
  const targets = new Map(classes.map(({ fromClassId, toClassId }) => [fromClassId, toClassId]));
  const moved = ended.flatMap(({ studentId, classId }) => {
    const to = targets.get(classId) ?? null;
    return to === null ? [] : [{ studentId, classId: to }];
  });
  await openEnrollments(writing, moved, rollOverId);
  await appendEnrollmentChanges(
    trx,
    key.organizationId,
    ended.map(({ studentId }) => studentId),
    now,
  );
  await appendGrades(trx, key.organizationId, moved, now);
  return { ...plan, classes, rollOverId };
}

/** Makes the missing classes and returns all classes with their ids. */
async function makeClasses({ trx, key, plan, now }: Writing, rolledOverBy: number): Promise<RolledClass[]> {
  const missing = plan.classes.filter(({ isNew }) => isNew);
  if (missing.length === 0) return [...plan.classes];
  const rows = missing.map(({ name, grade }) => ({
    ...{ ...key, name, grade, academicYear: plan.toYear },
    ...{ createdAt: now.toISOString(), rolledOverBy },
  }));
  const made = await SchoolClass.query(trx).insert(rows).returning('id');
  const idOf = new Map(missing.map(({ fromClassId }, at) => [fromClassId, made[at]?.id ?? null]));
  return plan.classes.map((one) => (one.isNew ? { ...one, toClassId: idOf.get(one.fromClassId) ?? null } : one));
}

/** The teachers of a class teach the one that is made of it, in the same order. */
async function carryTeachers(
  { trx, key: { organizationId }, accountIds }: Writing,
  classes: readonly RolledClass[],
): Promise<void> {
  const made = new Map(classes.flatMap((one) => (one.isNew ? [[one.fromClassId, one.toClassId]] : [])));
  const teachers = await ClassTeacher.query(trx)
    .where({ organizationId })
    .whereRaw('class_id = any(?::bigint[])', [[...made.keys()]])
    .orderBy('position')
    .select('classId', 'teacherUserId', 'role');
  const carried = teachers.flatMap(({ classId, teacherUserId, role }) => {
    const to = made.get(classId) ?? null;
    return to === null || !accountIds.has(teacherUserId) ? [] : [{ organizationId, classId: to, teacherUserId, role }];
  });
  if (carried.length > 0) await ClassTeacher.query(trx).insert(carried);
}

interface Placed {
  readonly studentId: number;
  readonly classId: number;
}

/** Returns the students whose enrollment was still open, with their former class. */
const endEnrollments = async (
  { trx, key: { organizationId }, plan, today }: Writing,
  endedByRollOver: number,
): Promise<Placed[]> =>
  Enrollment.query(trx)
    .where({ organizationId, enrolledTo: null })
    .whereRaw('class_id = any(?::bigint[])', [plan.classes.map(({ fromClassId }) => fromClassId)])
    .whereRaw('student_id = any(?::bigint[])', [plan.classes.flatMap(({ studentIds }) => studentIds)])
    .patch({ enrolledTo: raw('greatest(enrolled_from, ?::date)', [today]) as unknown as string, endedByRollOver })
    .returning(['studentId', 'classId']);

/** Far below the protocol's limit of 65,535 parameters. */
const rowsAtOnce = 5_000;

async function openEnrollments(
  { trx, key: { organizationId }, today }: Writing,
  moved: readonly Placed[],
  openedByRollOver: number,
): Promise<void> {
  const rows = moved.map((one) => ({ organizationId, ...one, enrolledFrom: today, openedByRollOver }));
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await Enrollment.query(trx).insert(rows.slice(at, at + rowsAtOnce));
}
