// Lists for screens: the rows in the caller's reach, page by page.
import type { Knex } from 'knex';
import { keyOf, type Page, pageOf } from '../../http/pages.ts';
import type { Actor } from '../../http/route.ts';
import type { Trx } from '../../platform/db.ts';
import { presentPerson } from '../accounts/present.ts';
import type { UserFilter } from '../accounts/schemas.ts';
import { teachersOf } from '../classes/class-teachers.ts';
import { Enrollment, Organization, School, SchoolClass } from '../records/organizations.ts';
import { User } from '../records/users.ts';
import { presentClass, presentEnrolled, presentOrganization, presentSchool } from './present.ts';

interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

const defaultLimit = 25;

export async function listOrganizations(trx: Trx, { limit = defaultLimit, cursor }: PageQuery) {
  const query = Organization.query(trx)
    .orderBy('id')
    .limit(limit + 1);
  const after = keyOf(cursor, ['string']);
  if (after) query.where('id', '>', after[0] ?? '');
  return pageOf(await query, limit, ({ id }) => [id], presentOrganization);
}

export async function listSchools(trx: Trx, actor: Actor, input: PageQuery & { organizationId?: string }) {
  const { limit = defaultLimit, cursor, organizationId } = input;
  const query = School.query(trx)
    .orderBy('id')
    .limit(limit + 1);
  const after = keyOf(cursor, ['string']);
  if (after) query.where('id', '>', after[0] ?? '');
  if (organizationId !== undefined) query.where({ organizationId });
  const own = schoolsInReach(trx, actor);
  if (own) query.whereIn('id', own);
  return pageOf(await query, limit, ({ id }) => [id], presentSchool);
}

function schoolsInReach(trx: Trx, { persona, userId }: Actor): Knex.QueryBuilder | undefined {
  if (persona === 'PRINCIPAL') return trx('principal_school').select('schoolId').where({ principalUserId: userId });
  if (persona !== 'TEACHER') return undefined;
  return trx('class_teacher as t')
    .join('class as c', 'c.id', 't.classId')
    .select('c.schoolId')
    .where('t.teacherUserId', userId);
}

type ClassQuery = PageQuery & { schoolId?: string; archived?: boolean };

export async function listClasses(trx: Trx, actor: Actor, input: ClassQuery) {
  const { limit = defaultLimit, cursor, schoolId, archived = false } = input;
  const query = SchoolClass.query(trx)
    .orderBy('id')
    .limit(limit + 1);
  const after = keyOf(cursor, ['number']);
  if (after) query.where('id', '>', after[0] ?? 0);
  if (schoolId !== undefined) query.where({ schoolId });
  if (archived) query.whereNotNull('archivedAt');
  else query.whereNull('archivedAt');
  if (actor.persona === 'PRINCIPAL') query.whereIn('schoolId', schoolsInReach(trx, actor) ?? []);
  if (actor.persona === 'TEACHER') {
    query.whereIn('id', trx('class_teacher').select('classId').where({ teacherUserId: actor.userId }));
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

export async function listClassStudents(trx: Trx, classId: number, { limit = defaultLimit, cursor }: PageQuery) {
  const query = Enrollment.query(trx)
    .alias('e')
    .join('app_user as u', 'u.id', 'e.studentId')
    .where({ 'e.classId': classId })
    .whereNull('e.enrolledTo')
    .orderBy('e.studentId')
    .limit(limit + 1)
    .select('e.*', 'u.fullNameAr');
  const after = keyOf(cursor, ['number']);
  if (after) query.where('e.studentId', '>', after[0] ?? 0);
  const rows = (await query) as (Enrollment & { fullNameAr: string | null })[];
  return pageOf(rows, limit, ({ studentId }) => [studentId], presentEnrolled);
}

export async function listUsers(trx: Trx, input: UserFilter): Promise<Page<ReturnType<typeof presentPerson>>> {
  const { limit = defaultLimit, cursor, organizationId, persona, status, q } = input;
  const query = User.query(trx)
    .orderBy('id')
    .limit(limit + 1);
  const after = keyOf(cursor, ['number']);
  if (after) query.where('id', '>', after[0] ?? 0);
  if (organizationId !== undefined) query.where({ organizationId });
  if (persona !== undefined) query.where({ primaryPersona: persona });
  if (status !== undefined) query.where({ status });
  if (q !== undefined)
    query.where((either) => either.whereILike('email', containing(q)).orWhereILike('fullNameAr', containing(q)));
  if (input.classId !== undefined)
    query.whereIn('id', peopleOfClasses(trx, trx.raw('select ?::bigint', [input.classId])));
  if (input.schoolId !== undefined) query.whereIn('id', peopleOfSchool(trx, input.schoolId));
  return pageOf(await query, limit, ({ id }) => [id], presentPerson);
}

const containing = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Teachers and students of classes. */
function peopleOfClasses(trx: Trx, classIds: Knex.Raw | Knex.QueryBuilder): Knex.QueryBuilder {
  return trx('class_teacher')
    .select('teacherUserId')
    .whereRaw('class_id in (?)', [classIds])
    .union(trx('enrollment').select('studentId').whereNull('enrolledTo').whereRaw('class_id in (?)', [classIds]));
}

/** Teachers and students of a school's classes, and its principals. */
function peopleOfSchool(trx: Trx, schoolId: string): Knex.QueryBuilder {
  const classes = trx('class').select('id').where({ schoolId: schoolId });
  return peopleOfClasses(trx, classes).union(
    trx('principal_school').select('principalUserId').where({ schoolId: schoolId }),
  );
}
