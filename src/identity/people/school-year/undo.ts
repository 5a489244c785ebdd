// Undoes a roll-over while nothing rests on it: its enrollments go, those that it ended are open again, the classes that it made
// and that have no other use go.
import type { Services } from '#core/module/services.ts';
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { AppError, conflict, notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { appendEnrollmentChanges, appendGrades } from '../classes/enrollment.ts';
import { ClassTeacher, Enrollment, SchoolClass, SchoolRollOver } from '../records/organizations.ts';
import { lockAccounts, lockSchool } from './lock.ts';
import type { MovedStudents, RollOverGuard } from './services.ts';

interface UndoCall {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: { readonly userId: number };
  readonly rollOver: SchoolRollOver;
}

export interface UndoneRollOver {
  readonly rollOverId: number;
  readonly undoneAt: string;
  readonly students: number;
  readonly removedClassIds: readonly number[];
  readonly keptClassIds: readonly number[];
}

/** Throws CONFLICT `undone`; `evidence` and `changed_since`, each with up to 20 students. What a leaving closed stays closed. */
export async function undoRollOver({ services, trx, actor, rollOver }: UndoCall): Promise<UndoneRollOver> {
  const { id: rollOverId, organizationId, schoolId, fromYear, toYear, rolledAt } = rollOver;
  const key = { organizationId, schoolId, rollOverId };
  await lockAccounts(trx, organizationId, await studentsOf(trx, key));
  await lockSchool(trx, { organizationId, schoolId }, [fromYear, toYear]);
  await lockMade(trx, key);
  const current = await SchoolRollOver.query(trx).findOne({ organizationId, id: rollOverId });
  if (!current) throw notFound();
  if (current.undoneAt !== null) throw conflict('undone', 'This roll-over has been undone.');
  const enrollments = await lockEnrollments(trx, key);
  const opened = enrollments.filter(({ openedByRollOver }) => openedByRollOver === rollOverId);
  const moved = { organizationId, studentIds: opened.map(({ studentId }) => studentId), since: rolledAt };
  const guards = services.capabilities.flatMap(({ rollOverGuard }) => rollOverGuard ?? []);
  await requireUnused(trx, key, moved, guards);
  const undoneAt = services.clock.now();
  await reopen(trx, key);
  for (const { followBack } of guards) await followBack?.(trx, moved);
  const uses = ['enrollment', ...guards.flatMap((guard) => guard.usesOfClasses ?? [])];
  const classes = await removeClasses(trx, key, uses);
  const ended = enrollments.filter(({ endedByRollOver }) => endedByRollOver === rollOverId);
  await appendEnrollmentChanges(
    trx,
    organizationId,
    ended.map(({ studentId }) => studentId),
    undoneAt,
  );
  await appendGrades(trx, organizationId, regraded(ended, moved), undoneAt);
  const undone = { undoneAt: undoneAt.toISOString(), undoneBy: actor.userId };
  await SchoolRollOver.query(trx).findOne({ organizationId, id: rollOverId }).patch(undone);
  return { rollOverId, undoneAt: undone.undoneAt, students: ended.length, ...classes };
}

interface RollOverKey {
  readonly organizationId: string;
  readonly schoolId: string;
  readonly rollOverId: number;
}

/** Locks the classes that it made, with their teachers. */
async function lockMade(trx: Trx, { organizationId, schoolId, rollOverId }: RollOverKey): Promise<void> {
  const classes = SchoolClass.query(trx)
    .where({ organizationId, schoolId, rolledOverBy: rollOverId })
    .orderBy('id')
    .select('id');
  const made = await lockRows('class', 'change', classes);
  const teachers = ClassTeacher.query(trx).where({ organizationId });
  const ofMade = teachers
    .whereIn(
      'classId',
      made.map(({ id }) => id),
    )
    .orderBy(['classId', 'teacherUserId']);
  await lockRows('teaching', 'change', ofMade.select('classId'));
}

async function studentsOf(trx: Trx, key: RollOverKey): Promise<number[]> {
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `select student_id from enrollment where organization_id = :organizationId and opened_by_roll_over = :rollOverId
     union select student_id from enrollment where organization_id = :organizationId and ended_by_roll_over = :rollOverId`,
    { organizationId: key.organizationId, rollOverId: key.rollOverId },
  );
  return rows.map(({ studentId }) => studentId);
}

type RolledEnrollment = Pick<
  Enrollment,
  'studentId' | 'classId' | 'enrolledTo' | 'openedByRollOver' | 'endedByRollOver'
>;

/** Locks what the roll-over made and ended against the end of a single enrollment. */
const lockEnrollments = async (trx: Trx, { organizationId, rollOverId }: RollOverKey): Promise<RolledEnrollment[]> => {
  const touched = Enrollment.query(trx)
    .where({ organizationId })
    .where((either) => either.where({ openedByRollOver: rollOverId }).orWhere({ endedByRollOver: rollOverId }))
    .orderBy('id')
    .select('studentId', 'classId', 'enrolledTo', 'openedByRollOver', 'endedByRollOver');
  return lockRows('enrollment', 'change', touched);
};

/** Students go back to their old class. Those who had left have no other grade by it. */
function regraded(ended: readonly RolledEnrollment[], { studentIds }: MovedStudents) {
  const moved = new Set(studentIds);
  return ended
    .filter(({ studentId }) => moved.has(studentId))
    .map(({ studentId, classId }) => ({ studentId, classId }));
}

async function requireUnused(
  trx: Trx,
  key: RollOverKey,
  moved: MovedStudents,
  guards: readonly RollOverGuard[],
): Promise<void> {
  for (const { lock } of guards) await lock?.(trx, moved);
  const evidence = await studentsIn(
    trx,
    guards.flatMap((guard) => guard.evidence ?? []),
    { ...moved },
  );
  if (evidence.length > 0) throw refused('evidence', 'Students have been measured or taught since.', evidence);
  const decisions = guards.flatMap((guard) => guard.decisions ?? []);
  const changed = await studentsIn(trx, [...decisions, ...movedOn], { ...moved, rollOverId: key.rollOverId });
  if (changed.length > 0) throw refused('changed_since', 'Something has been decided about students since.', changed);
  for (const { discardStarted } of guards) await discardStarted?.(trx, moved);
}

/** SQL of students who have left the new class, and of those who had left the school and are enrolled again. */
const movedOn = [
  `select student_id from enrollment
   where organization_id = :organizationId and opened_by_roll_over = :rollOverId and enrolled_to is not null`,
  `select e.student_id from enrollment e
   join enrollment o on o.organization_id = e.organization_id and o.student_id = e.student_id and o.enrolled_to is null
     and o.opened_by_roll_over is distinct from :rollOverId
   where e.organization_id = :organizationId and e.ended_by_roll_over = :rollOverId`,
];

const mostNamed = 20;

async function studentsIn(
  trx: Trx,
  statements: readonly string[],
  bindings: Readonly<Record<string, string | number | readonly number[]>>,
): Promise<number[]> {
  if (statements.length === 0) return [];
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `select student_id from (${statements.join(' union ')}) found order by student_id limit ${mostNamed}`,
    { ...bindings },
  );
  return rows.map(({ studentId }) => studentId);
}

const refused = (issue: 'evidence' | 'changed_since', message: string, studentIds: readonly number[]) =>
  new AppError('CONFLICT', `${message} Correct single enrollments instead.`, {
    details: studentIds.map((id) => ({ field: `students.${id}`, issue })),
  });

/** A class of the old year that was archived meanwhile has students again, so it is open again. */
async function reopen(trx: Trx, { organizationId, rollOverId }: RollOverKey): Promise<void> {
  await Enrollment.query(trx).where({ organizationId, openedByRollOver: rollOverId }).delete();
  const ended = Enrollment.query(trx).where({ organizationId, endedByRollOver: rollOverId });
  await SchoolClass.query(trx)
    .where({ organizationId })
    .whereIn('id', ended.clone().select('classId'))
    .whereNotNull('archivedAt')
    .patch({ archivedAt: null });
  await ended.patch({ enrolledTo: null, endedByRollOver: null });
}

const usedBy = (table: string): string =>
  `exists (select from ${table} r where r.organization_id = :organizationId and r.class_id = c.id)`;

/** The teachers of a class came with it and go with it. */
async function removeClasses(trx: Trx, { organizationId, schoolId, rollOverId }: RollOverKey, uses: readonly string[]) {
  const made = await rowsOf<{ id: number; isUsed: boolean }>(
    trx,
    `select c.id, ${uses.map(usedBy).join(' or ')} as is_used
     from class c where c.organization_id = :organizationId and c.school_id = :schoolId and c.rolled_over_by = :rollOverId order by c.id`,
    { organizationId, schoolId, rollOverId },
  );
  const removed = made.filter(({ isUsed }) => !isUsed).map(({ id }) => id);
  await ClassTeacher.query(trx).where({ organizationId }).whereIn('classId', removed).delete();
  await SchoolClass.query(trx)
    .where({ organizationId })
    .whereIn('id', removed)
    .delete()
    .catch((error: unknown) => {
      throw violatedConstraint(error) ? usedMeanwhile() : error;
    });
  return { removedClassIds: removed, keptClassIds: made.filter(({ isUsed }) => isUsed).map(({ id }) => id) };
}

const usedMeanwhile = () => conflict('changed_since', 'A class that it made has just come into use. Retry.');
