// Scopes: from an id in the path to a row that the caller may see. A row that the organization cannot see is NOT_FOUND; one
// that it can see but the caller cannot reach is PERMISSION_DENIED.
import type { Knex } from 'knex';
import type { Actor, Scoped, ScopeRequest } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { Organization, School, SchoolClass } from '../records/organizations.ts';
import { classHistoryOf, type WithClassHistory } from '../students/grades.ts';
import { mergedRefusal } from '../students/merged.ts';
import { type ReachPersona, reachColumn, requireReach, staff } from './reach.ts';

type Request = ScopeRequest<Services>;

export const organizationAt = (param: string): AppScope<Organization> => ({
  reach: 'O',
  resolve: async ({ trx, params }) => {
    const row = await Organization.query(trx).findById(params[param] ?? '');
    if (!row) throw notFound();
    return { row, organization: row };
  },
});

export const organizationInPath = organizationAt('id');

/** Platform data that only some of the personas with the permission may see. */
export const platformDataFor = (allowed: readonly ReachPersona[]): AppScope<null> => ({
  reach: 'P',
  resolve: async ({ actor }) => {
    if (!allowed.some((persona) => persona === actor.persona)) throw denied();
    return { row: null };
  },
});

/** A school of the organization, for any persona. */
export const schoolInOrganization: AppScope<School> = {
  reach: 'O',
  resolve: async (request) => (await findSchool(request, request.params.id)).found,
};

const readers: readonly ReachPersona[] = ['TEACHER', 'PRINCIPAL', 'ADMIN', 'MANAGER'];

/** Reach SC, or a school in which the caller teaches a class. */
export const schoolInReach: AppScope<School> = {
  reach: 'SC',
  resolve: async (request) => {
    const { found, isReached } = await findSchool(request, request.params.id);
    requireReach(request.actor, isReached, readers);
    return found;
  },
};

/** The caller and the transaction of a scope. */
type ScopeContext = Pick<Request, 'trx' | 'actor'>;

interface Found<Row> {
  readonly found: Scoped<Row>;
  readonly isReached: boolean;
}

/** Finds a school in reach by an id that is not in the path, for the `allowed` personas; throws as `schoolInReach` does. */
export async function findSchoolInReach(
  context: ScopeContext,
  id: string | undefined,
  allowed: readonly ReachPersona[],
): Promise<Scoped<School>> {
  const { found, isReached } = await findSchool(context, id);
  requireReach(context.actor, isReached, allowed);
  return found;
}

async function findSchool({ trx, actor }: ScopeContext, id: string | undefined): Promise<Found<School>> {
  const row = await trx('school as s')
    .join('organization as o', 'o.id', 's.organizationId')
    .where({ 's.id': id ?? '', ...ownRows('s', actor) })
    .first('s.*', { isDemo: 'o.isDemo', isReached: reachColumn(trx, actor, 'school') });
  return found(row, (columns) => School.fromDatabaseJson(columns));
}

/** Adds the caller's organization to the condition, for the index; row-level security restricts the rows anyway. */
const ownRows = (table: string, { organizationId }: Actor) =>
  organizationId === null ? {} : { [`${table}.organizationId`]: organizationId };

interface FoundColumns {
  readonly isDemo: boolean;
  readonly isReached: boolean;
  readonly organizationId: string;
}

function found<Row>(row: FoundColumns | undefined, read: (columns: { organizationId: string }) => Row): Found<Row> {
  if (!row) throw notFound();
  const { isDemo, isReached, ...columns } = row;
  return { found: { row: read(columns), organization: { id: row.organizationId, isDemo } }, isReached };
}

/** A class of the organization, for any persona. */
export const classInOrganization: AppScope<SchoolClass> = {
  reach: 'O',
  resolve: async (request) => (await findClass(request, request.params.id)).found,
};

export type ClassInScope = SchoolClass & { readonly timeZone: string };

export const classInReach = (allowed: readonly ReachPersona[] = staff, param = 'id'): AppScope<ClassInScope> => ({
  reach: 'C',
  resolve: async (request) => {
    const { found, isReached } = await findClass(request, request.params[param]);
    requireReach(request.actor, isReached, allowed);
    return found;
  },
});

/** Finds the class whose id a subquery selects, in the same statement; throws as `classInReach` does. */
export async function findClassInReach(
  context: ScopeContext,
  id: Knex.QueryBuilder,
  allowed: readonly ReachPersona[],
): Promise<Scoped<ClassInScope>> {
  const { found, isReached } = await classFound(context, id);
  requireReach(context.actor, isReached, allowed);
  return found;
}

const findClass = (context: ScopeContext, id: string | undefined): Promise<Found<ClassInScope>> =>
  classFound(context, isSafeId(id) ? Number(id) : undefined);

const classColumns = [
  'id',
  'organizationId',
  'schoolId',
  'name',
  'grade',
  'academicYear',
  'archivedAt',
  'createdAt',
].map((column) => `c.${column}`);

async function classFound(
  { trx, actor }: ScopeContext,
  id: number | Knex.QueryBuilder | undefined,
): Promise<Found<ClassInScope>> {
  const row =
    id === undefined
      ? undefined
      : await trx('class as c')
          .join('organization as o', 'o.id', 'c.organizationId')
          .join('school as s', (on) => on.on('s.organizationId', 'c.organizationId').andOn('s.id', 'c.schoolId'))
          .where('c.id', id)
          .where(ownRows('c', actor))
          .options(keptPlan)
          .first(...classColumns, {
            isDemo: 'o.isDemo',
            timeZone: trx.raw('coalesce(s.time_zone, o.time_zone)'),
            isReached: reachColumn(trx, actor, 'class'),
          });
  return found(row, (columns) => SchoolClass.fromDatabaseJson(columns) as ClassInScope);
}

/** A student with the current class, through which staff reach the student. */
export interface StudentInScope extends WithClassHistory {
  readonly id: number;
  readonly organizationId: string;
  readonly classId: number | null;
  readonly schoolId: string | null;
  readonly timeZone: string;
}

/** The code with which scopes of students refuse to write about an account that was merged into another one. */
export const studentWriteErrors = ['CONFLICT'] as const;

/** A student of the organization, for any persona. */
export const studentInOrganization: AppScope<StudentInScope> = {
  reach: 'O',
  writeErrors: studentWriteErrors,
  resolve: ({ trx, params }) => findStudent(trx, params.id),
};

export const studentInReach = (allowed: readonly ReachPersona[] = staff, param = 'id'): AppScope<StudentInScope> => ({
  reach: 'S',
  writeErrors: studentWriteErrors,
  resolve: (request) => findStudentInReach(request, request.params[param], allowed),
});

/**
 * Throws NOT_FOUND unless the id is that of a student in the transaction's context who was not erased. The id of an account
 * that was merged finds the student who has its evidence now, with a refusal for writes.
 */
export async function findStudent(trx: Trx, id: string | number | undefined): Promise<Scoped<StudentInScope>> {
  const row = isSafeId(id) ? await studentRow(trx, id).first(studentColumns(trx)) : undefined;
  return foundStudent(row).found;
}

/** Finds a student in the caller's reach. Throws NOT_FOUND as `findStudent` does, and PERMISSION_DENIED out of reach. */
export const findStudentInReach = async (
  context: ScopeContext,
  id: string | number | undefined,
  allowed: readonly ReachPersona[],
): Promise<Scoped<StudentInScope>> =>
  requireReachedStudent(context, isSafeId(id) ? await studentWithReach(context, Number(id)) : undefined, allowed);

/** Returns the student that a write names. Throws CONFLICT `merged` for an account that was merged into another one. */
export async function requireWritable<Row>(finding: Promise<Scoped<Row>>): Promise<Scoped<Row>> {
  const student = await finding;
  if (student.writeRefusal) throw student.writeRefusal;
  return student;
}

/**
 * Finds the student whose id a subquery of a row selects, in the same statement; throws as `findStudentInReach` does. A row of
 * an account that was merged keeps its student, and is reached through the student who has its evidence now.
 */
export const findOwnerInReach = async (
  context: ScopeContext,
  id: Knex.QueryBuilder,
  allowed: readonly ReachPersona[],
): Promise<Scoped<StudentInScope>> => {
  const row = await studentWithReach(context, id);
  return requireReachedStudent(context, row && { ...row, id: row.namedId }, allowed);
};

const studentWithReach = (
  { trx, actor }: ScopeContext,
  id: number | Knex.QueryBuilder,
): Promise<StudentColumns | undefined> =>
  studentRow(trx, id)
    .where(ownRows('n', actor))
    .options(keptPlan)
    .first({ ...studentColumns(trx), isReached: reachColumn(trx, actor, 'class') });

function requireReachedStudent(
  { actor }: ScopeContext,
  row: StudentColumns | undefined,
  allowed: readonly ReachPersona[],
): Scoped<StudentInScope> {
  const student = foundStudent(row);
  requireReach(actor, student.isReached, allowed);
  return student.found;
}

interface StudentColumns extends FoundColumns {
  readonly id: number;
  /** The account that the id is of. */
  readonly namedId: number;
  readonly isMerged: boolean;
}

function foundStudent(row: StudentColumns | undefined): Found<StudentInScope> {
  if (!row) throw notFound();
  const { namedId: _named, isMerged, ...columns } = row;
  const student = found<StudentInScope>(columns, (read) => read as StudentInScope);
  return isMerged ? { ...student, found: { ...student.found, writeRefusal: mergedRefusal() } } : student;
}

/** `n` is the account that the id is of, `u` the student, who is another one when that account was merged. */
const studentRow = (trx: Trx, id: string | number | Knex.QueryBuilder | undefined) =>
  trx('app_user as n')
    .join('app_user as u', (on) =>
      on.on('u.organizationId', 'n.organizationId').andOn('u.id', trx.raw('coalesce(n.merged_into_id, n.id)')),
    )
    .join('organization as o', 'o.id', 'u.organizationId')
    .leftJoin('enrollment as e', (on) =>
      on.on('e.organizationId', 'u.organizationId').andOn('e.studentId', 'u.id').andOnNull('e.enrolledTo'),
    )
    .leftJoin('class as c', (on) => on.on('c.organizationId', 'e.organizationId').andOn('c.id', 'e.classId'))
    .leftJoin('school as s', (on) => on.on('s.organizationId', 'c.organizationId').andOn('s.id', 'c.schoolId'))
    .where('n.id', typeof id === 'object' ? id : Number(id))
    .where({ 'n.primaryPersona': 'STUDENT' })
    .whereNot('n.status', 'deleted');

const studentColumns = (trx: Trx) => ({
  id: 'u.id',
  namedId: 'n.id',
  isMerged: trx.raw("n.status = 'merged'"),
  organizationId: 'u.organizationId',
  isDemo: 'o.isDemo',
  classId: 'c.id',
  schoolId: 'c.schoolId',
  classHistory: trx.raw(classHistoryOf('u.organization_id', 'u.id')),
  timeZone: trx.raw('coalesce(s.time_zone, o.time_zone)'),
});

/** Returns the organization; the caller's own is known without a query. */
export async function organizationOf(
  { trx, actor }: ScopeContext,
  id: string,
): Promise<{ id: string; isDemo: boolean }> {
  if (actor.organizationId === id) return { id, isDemo: actor.isDemo };
  const row = await Organization.query(trx).where({ id }).select('id', 'isDemo').first();
  if (!row) throw notFound();
  return { id: row.id, isDemo: row.isDemo };
}

/** The path schema also accepts numbers beyond 2^53, which are no ids. */
const isSafeId = (id: string | number | undefined) =>
  id !== undefined && Number.isSafeInteger(Number(id)) && Number(id) > 0;
