// Two organizations that must not see each other, and a demo. Each has a school, a class and a signed-in user of every
// persona. The `elsewhere` users work in another school of the same organization and have no access here.
import {
  buildClass,
  buildOrganization,
  buildParent,
  buildPrincipal,
  buildSchool,
  buildStudent,
  buildSuperAdmin,
  buildTeacher,
  buildUser,
  type ClassRow,
  type Insert,
  type SchoolRow,
  signIn,
  type UserRow,
} from './factories.ts';
import type { TestApp } from './http.ts';
import { installShippedRules } from './rules.ts';

export const personNames = [
  'ADMIN',
  'MANAGER',
  'PRINCIPAL',
  'TEACHER',
  'PARENT',
  'STUDENT',
  'TEACHER elsewhere',
  'PRINCIPAL elsewhere',
  'PARENT elsewhere',
  'STUDENT elsewhere',
] as const;
export type PersonName = (typeof personNames)[number];

export interface Person extends UserRow {
  readonly token: string;
}

export interface Tenant {
  readonly organizationId: string;
  readonly school: SchoolRow;
  /** The class of TEACHER and STUDENT, in the school of PRINCIPAL. */
  readonly classRow: ClassRow;
  readonly classElsewhere: ClassRow;
  readonly people: Readonly<Record<PersonName, Person>>;
  /** PARENT's id of the link to STUDENT. */
  readonly childId: string;
}

export interface World {
  readonly own: Tenant;
  readonly other: Tenant;
  readonly demo: Tenant;
  readonly superAdmin: Person;
}

export async function buildWorld(app: TestApp): Promise<World> {
  await installShippedRules(app.database.owner);
  const superAdmin = await signedIn(app, await buildSuperAdmin(app.database.owner));
  return {
    superAdmin,
    own: await buildTenant(app),
    other: await buildTenant(app),
    demo: await buildTenant(app, { isDemo: true }),
  };
}

/** Creates an organization with two schools of one class each, and their people. */
export async function buildTenant(app: TestApp, overrides: Insert = {}): Promise<Tenant> {
  const { owner } = app.database;
  const organizationId = (await buildOrganization(owner, overrides)).id;
  const school = await buildSchool(owner, { organizationId });
  const schoolElsewhere = await buildSchool(owner, { organizationId });
  const classRow = await buildClass(owner, { organizationId, schoolId: school.id });
  const classElsewhere = await buildClass(owner, {
    organizationId,
    schoolId: schoolElsewhere.id,
    name: '2B',
    grade: 2,
  });
  const student = await buildStudent(owner, classRow);
  const { childId, ...parent } = await buildParent(owner, student);
  const users: Record<PersonName, UserRow> = {
    ADMIN: await buildUser(owner, 'ADMIN', { organizationId }),
    MANAGER: await buildUser(owner, 'MANAGER', { organizationId }),
    PRINCIPAL: await buildPrincipal(owner, school),
    TEACHER: await buildTeacher(owner, classRow),
    PARENT: parent,
    STUDENT: student,
    'TEACHER elsewhere': await buildTeacher(owner, classElsewhere),
    'PRINCIPAL elsewhere': await buildPrincipal(owner, schoolElsewhere),
    'PARENT elsewhere': await buildUser(owner, 'PARENT', { organizationId }),
    'STUDENT elsewhere': await buildStudent(owner, classElsewhere),
  };
  return { organizationId, school, classRow, classElsewhere, people: await signInAll(app, users), childId };
}

/** Signs in sequentially: in parallel, each would open a connection that most files need only once. */
async function signInAll(app: TestApp, users: Record<PersonName, UserRow>): Promise<Record<PersonName, Person>> {
  const entries: [PersonName, Person][] = [];
  for (const name of personNames) entries.push([name, await signedIn(app, users[name])]);
  return Object.fromEntries(entries) as Record<PersonName, Person>;
}

const signedIn = async (app: TestApp, user: UserRow): Promise<Person> => ({ ...user, token: await signIn(app, user) });
