// Inserts rows for tests as the owner of the tables, without the service. Each function takes the values that matter to
// the test and fills in the rest. A missing parent row is created.

import { type Db, inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { openSession, type TokenPair } from '#identity/people/auth-sessions/auth-sessions.ts';
import type { Persona, UserScope } from '#identity/people/records/permissions.ts';
import type { TestApp } from './http.ts';

export { password, passwordHash } from './passwords.ts';

const createdAt = new Date('2025-08-01T00:00:00.000Z');

export interface Insert {
  readonly [column: string]: unknown;
}

/** Inserts one row and returns the named columns. */
async function insert<Returned>(db: Db, table: string, row: Insert, returning: readonly string[]): Promise<Returned> {
  const [stored] = await db(table)
    .insert(row)
    .returning([...returning]);
  return stored as Returned;
}

export interface OrganizationRow {
  readonly id: string;
}

export function buildOrganization(db: Db, overrides: Insert = {}): Promise<OrganizationRow> {
  const id = newId();
  const row = {
    id,
    name: 'Test schools',
    slug: `org-${id}`,
    country: 'SA',
    defaultLocale: 'ar',
    createdAt,
  };
  return insert(db, 'organization', { ...row, ...overrides }, ['id']);
}

export interface SchoolRow {
  readonly id: string;
  readonly organizationId: string;
}

export async function buildSchool(db: Db, overrides: Insert = {}): Promise<SchoolRow> {
  const organizationId = overrides.organizationId ?? (await buildOrganization(db)).id;
  const row = { id: newId(), organizationId, name: 'Test school', country: 'SA', createdAt };
  return insert(db, 'school', { ...row, ...overrides }, ['id', 'organizationId']);
}

export interface ClassRow {
  readonly id: number;
  readonly organizationId: string;
  readonly schoolId: string;
}

export async function buildClass(db: Db, overrides: Insert = {}): Promise<ClassRow> {
  const school = overrides.schoolId === undefined ? await buildSchool(db, organizationIn(overrides)) : undefined;
  const row = {
    ...(school && { schoolId: school.id, organizationId: school.organizationId }),
    name: '1A',
    grade: 1,
    academicYear: '2025-2026',
    createdAt,
  };
  return insert(db, 'class', { ...row, ...overrides }, ['id', 'organizationId', 'schoolId']);
}

export interface UserRow {
  readonly id: number;
  readonly organizationId: string | null;
  readonly primaryPersona: Persona;
  readonly scope: UserScope;
  readonly email: string | null;
}

/** Creates a user with a persona, in a new organization unless one is given. Students have no email. */
export async function buildUser(db: Db, persona: Persona, overrides: Insert = {}): Promise<UserRow> {
  const organizationId = overrides.organizationId ?? (await buildOrganization(db)).id;
  return insertUser(db, { scope: 'ORGANIZATION', primaryPersona: persona, organizationId, ...overrides });
}

/** Creates a backoffice user, who has no organization and sees all of them. */
export const buildSuperAdmin = (db: Db, overrides: Insert = {}): Promise<UserRow> =>
  insertUser(db, { scope: 'SUPER', primaryPersona: 'ADMIN', organizationId: null, ...overrides });

async function insertUser(db: Db, { organizationId, ...row }: Insert): Promise<UserRow> {
  const address = row.primaryPersona === 'STUDENT' ? null : `${newId()}@example.org`;
  const home = organizationId ?? platformOrganizationId;
  const defaults = { email: address, fullNameAr: 'مستخدم للاختبار', createdAt, organizationId: home };
  const returning = ['id', 'organizationId', 'primaryPersona', 'scope', 'email'];
  const user = await insert<UserRow>(db, 'app_user', { ...defaults, ...row }, returning);
  const email = user.email?.toLowerCase();
  if (email) await db('sign_in_name').insert({ email, organizationId: home, userId: user.id });
  return user;
}

/** Creates a student enrolled in a class (in a new one unless `classRow` is given). */
export async function buildStudent(db: Db, classRow?: ClassRow, overrides: Insert = {}): Promise<UserRow> {
  const home = classRow ?? (await buildClass(db));
  const student = await buildUser(db, 'STUDENT', { organizationId: home.organizationId, ...overrides });
  await db('enrollment').insert({
    organizationId: home.organizationId,
    studentId: student.id,
    classId: home.id,
    enrolledFrom: '2025-08-31',
  });
  return student;
}

/** Creates a teacher of a class (of a new one unless `classRow` is given). */
export async function buildTeacher(
  db: Db,
  classRow?: ClassRow,
  role: 'PRIMARY' | 'SECONDARY' = 'PRIMARY',
): Promise<UserRow> {
  const home = classRow ?? (await buildClass(db));
  const teacher = await buildUser(db, 'TEACHER', { organizationId: home.organizationId });
  await db('class_teacher').insert({
    organizationId: home.organizationId,
    classId: home.id,
    teacherUserId: teacher.id,
    role,
  });
  return teacher;
}

/** Creates the principal of a school. */
export async function buildPrincipal(db: Db, school: SchoolRow): Promise<UserRow> {
  const principal = await buildUser(db, 'PRINCIPAL', { organizationId: school.organizationId });
  await db('principal_school').insert({
    organizationId: school.organizationId,
    principalUserId: principal.id,
    schoolId: school.id,
  });
  return principal;
}

/** Creates a parent linked to a student. `childId` is the id of the link. */
export async function buildParent(db: Db, student: UserRow): Promise<UserRow & { readonly childId: string }> {
  const parent = await buildUser(db, 'PARENT', { organizationId: student.organizationId });
  const childId = newId();
  await db('parent_student').insert({
    childId,
    organizationId: student.organizationId,
    parentUserId: parent.id,
    studentId: student.id,
  });
  return { ...parent, childId };
}

/** Opens a session with its first pair of tokens, as a login does. */
export function openSessionOf({ services, database, clock }: TestApp, user: UserRow): Promise<TokenPair> {
  const { id, organizationId } = user;
  return inContext(database.app, 'SUPER', (trx) =>
    openSession(trx, services.tokens, { id, organizationId }, clock.now()),
  );
}

/** Returns an access token of a new session. */
export const signIn = async (app: TestApp, user: UserRow): Promise<string> =>
  (await openSessionOf(app, user)).accessToken;

const organizationIn = ({ organizationId }: Insert): Insert => (organizationId === undefined ? {} : { organizationId });
