// Paged lists of classes in the caller's reach, and of their students.
import { defaultLimit, keyInCursor, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { schoolsInReach } from '../reach/reach.ts';
import { ClassTeacher, SchoolClass } from '../records/organizations.ts';
import { teachersOf } from './class-teachers.ts';
import { type Enrolled, presentClass, presentEnrolled } from './present.ts';

type ClassQuery = PageQuery & { schoolId?: string; archived?: boolean };

export async function listClasses(trx: Trx, actor: Actor, input: ClassQuery) {
  const { limit = defaultLimit, cursor, schoolId, archived = false } = input;
  const query = SchoolClass.query(trx)
    .orderBy('id')
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['number']);
  if (after) query.where('id', '>', after[0] ?? 0);
  if (schoolId !== undefined) query.where({ schoolId });
  if (archived) query.whereNotNull('archivedAt');
  else query.whereNull('archivedAt');
  if (actor.persona === 'PRINCIPAL') query.whereIn('schoolId', schoolsInReach(trx, actor) ?? []);
  if (actor.persona === 'TEACHER') {
    query.whereIn('id', ClassTeacher.query(trx).select('classId').where({ teacherUserId: actor.userId }));
  }
  const rows = await query;
  const teachers = await teachersOf(
    trx,
    rows.map(({ id }) => id),
  );
  return pageOf(
    rows,
    limit,
    ({ id }) => [id],
    (row) => presentClass(row, teachers.get(row.id) ?? []),
  );
}

/** Returns the students of a class in the order of their folded names. */
export async function listClassStudents(trx: Trx, classId: number, { limit = defaultLimit, cursor }: PageQuery) {
  const query = trx('enrollment as e')
    .join('app_user as u', 'u.id', 'e.studentId')
    .where({ 'e.classId': classId })
    .whereNull('e.enrolledTo')
    .orderBy('u.nameFolded')
    .orderBy('e.studentId')
    .limit(limit + 1)
    .options(keptPlan)
    .select('e.studentId', 'e.enrolledFrom', 'u.fullNameAr', 'u.nameFolded');
  const after = keyInCursor(cursor, ['string', 'number']);
  if (after) query.whereRaw('(u.name_folded, e.student_id) > (?, ?)', [...after]);
  const rows: (Enrolled & { nameFolded: string })[] = await query;
  return pageOf(rows, limit, ({ nameFolded, studentId }) => [nameFolded, studentId], presentEnrolled);
}
