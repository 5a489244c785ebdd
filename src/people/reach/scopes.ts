// How an id in a path becomes a row this caller may see. The load comes first: what the tenant cannot see is NOT_FOUND;
// what it can see but the caller cannot reach is PERMISSION_DENIED.
import type { Scoped, ScopeRequest } from '../../http/route.ts';
import type { AppScope } from '../../kernel/route.ts';
import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { denied, notFound } from '../../platform/errors.ts';
import { Organization, School, SchoolClass } from '../records/organizations.ts';
import { type ReachPersona, requireReach, staff } from './reach.ts';

type Request = ScopeRequest<Services>;

export const organizationInPath: AppScope<Organization> = {
  reach: 'O',
  resolve: async ({ trx, params }) => {
    const row = await Organization.query(trx).findById(params.id ?? '');
    if (!row) throw notFound();
    return { row, organization: row };
  },
};

/** Platform data that only some personas may see although others hold the permission too. */
export const platformDataFor = (allowed: readonly ReachPersona[]): AppScope<null> => ({
  reach: 'P',
  resolve: async ({ actor }) => {
    if (!allowed.some((persona) => persona === actor.persona)) throw denied();
    return { row: null };
  },
});

/** A school of the organization, whoever asks. */
export const schoolInOrganization: AppScope<School> = {
  reach: 'O',
  resolve: ({ trx, params }) => findSchool(trx, params.id),
};

/** SC, or a school of an own class. */
export const schoolInReach: AppScope<School> = {
  reach: 'SC',
  resolve: async ({ trx, actor, params }) => {
    const found = await findSchool(trx, params.id);
    if (actor.persona === 'TEACHER') await requireOwnClassIn(trx, actor.userId, found.row.id);
    else await requireReach(trx, actor, { classId: null, schoolId: found.row.id }, ['PRINCIPAL', 'ADMIN', 'MANAGER']);
    return found;
  },
};

async function findSchool(trx: Trx, id: string | undefined): Promise<Scoped<School>> {
  const row = await School.query(trx).findById(id ?? '');
  if (!row) throw notFound();
  return { row, organization: await organizationOf(trx, row.organizationId) };
}

async function requireOwnClassIn(trx: Trx, teacherUserId: number, schoolId: string): Promise<void> {
  const own = await trx('class_teacher as t')
    .join('class as c', 'c.id', 't.classId')
    .where({ 't.teacherUserId': teacherUserId, 'c.schoolId': schoolId })
    .first('c.id');
  if (!own) throw denied('This is outside the classes and schools that you work with.');
}

/** A class of the organization, whoever asks. */
export const classInOrganization: AppScope<SchoolClass> = {
  reach: 'O',
  resolve: ({ trx, params }) => findClass(trx, params.id),
};

export const classInReach = (allowed: readonly ReachPersona[] = staff, param = 'id'): AppScope<SchoolClass> => ({
  reach: 'C',
  resolve: async ({ trx, actor, params }) => {
    const found = await findClass(trx, params[param]);
    await requireReach(trx, actor, { classId: found.row.id, schoolId: found.row.schoolId }, allowed);
    return found;
  },
});

async function findClass(trx: Trx, id: string | undefined): Promise<Scoped<SchoolClass>> {
  const row = isSafeId(id) ? await SchoolClass.query(trx).findById(Number(id)) : undefined;
  if (!row) throw notFound();
  return { row, organization: await organizationOf(trx, row.organizationId) };
}

/** A student with the class of today, through which staff reach it. */
export interface StudentInScope {
  readonly id: number;
  readonly organizationId: string;
  readonly classId: number | null;
  readonly schoolId: string | null;
  readonly grade: number | null;
  readonly timeZone: string;
}

/** A student of the organization, whoever asks. */
export const studentInOrganization: AppScope<StudentInScope> = {
  reach: 'O',
  resolve: ({ trx, params }) => findStudent(trx, params.id),
};

export const studentInReach = (allowed: readonly ReachPersona[] = staff, param = 'id'): AppScope<StudentInScope> => ({
  reach: 'S',
  resolve: async ({ trx, actor, params }: Request) => {
    const found = await findStudent(trx, params[param]);
    await requireReach(trx, actor, found.row, allowed);
    return found;
  },
});

/** Throws NOT_FOUND for anything that is not a living student of the context. */
export async function findStudent(trx: Trx, id: string | number | undefined): Promise<Scoped<StudentInScope>> {
  const row = isSafeId(id)
    ? await trx('app_user as u')
        .join('organization as o', 'o.id', 'u.organizationId')
        .leftJoin('enrollment as e', (on) => on.on('e.studentId', 'u.id').andOnNull('e.enrolledTo'))
        .leftJoin('class as c', 'c.id', 'e.classId')
        .leftJoin('school as s', 's.id', 'c.schoolId')
        .where({ 'u.id': Number(id), 'u.primaryPersona': 'STUDENT' })
        .whereNot('u.status', 'deleted')
        .first({
          id: 'u.id',
          organizationId: 'u.organizationId',
          isDemo: 'o.isDemo',
          classId: 'c.id',
          schoolId: 'c.schoolId',
          grade: 'c.grade',
          timeZone: trx.raw('coalesce(s.time_zone, o.time_zone)'),
        })
    : undefined;
  if (!row) throw notFound();
  const { isDemo, ...student } = row;
  return { row: student, organization: { id: student.organizationId, isDemo } };
}

export async function organizationOf(trx: Trx, id: string): Promise<{ id: string; isDemo: boolean }> {
  const row = await trx('organization').where({ id }).first('id', 'isDemo');
  if (!row) throw notFound();
  return { id: row.id, isDemo: row.isDemo };
}

/** A number text that the path schema let through may still be beyond 2^53. */
const isSafeId = (id: string | number | undefined) =>
  id !== undefined && Number.isSafeInteger(Number(id)) && Number(id) > 0;
