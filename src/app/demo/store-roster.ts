// Stores the roster of an organization in one transaction: schools, classes, people and their relations.

import type { Trx } from '#core/platform/db.ts';
import {
  createClass,
  createOrganization,
  createSchool,
  enroll,
  linkParent,
  type Organization,
  PrincipalSchool,
  School,
  SchoolClass,
  setSignInEmail,
  User,
  updateClass,
} from '#identity/people/index.ts';
import type { SchoolYearDates } from '#rules/catalogue/index.ts';
import {
  classes,
  drawRoster,
  type Named,
  principalKey,
  type Roster,
  schoolNames,
  studentKey,
  studentsPerClass,
  teacherKeys,
} from './engine/roster.ts';
import { type DemoSpec, demoEmail } from './logins.ts';

const country = 'SA';
export const timeZone = 'Asia/Riyadh';

export interface RosterQuery {
  readonly spec: DemoSpec;
  /** Slug of the organization until it is complete. */
  readonly draftSlug: string;
  readonly seedName: string;
  /** One hash for all accounts, because hashing is slow on purpose. */
  readonly passwordHash: string;
  /** School year in which the history begins. */
  readonly firstYear: SchoolYearDates;
  /** Present school year. */
  readonly year: SchoolYearDates;
}

interface RosterContext {
  readonly trx: Trx;
  readonly organization: Organization;
  readonly input: RosterQuery;
  /** First day of the history's first school year, the creation date of all people. */
  readonly since: Date;
}

export async function storeRoster(trx: Trx, input: RosterQuery, now: Date): Promise<Organization> {
  const { name } = input.spec;
  const holidays = [...new Set([newYearIn(input.firstYear), newYearIn(input.year)])];
  const details = { name, slug: input.draftSlug, country, defaultLocale: 'ar', timeZone, holidays };
  const organization = await createOrganization(trx, details, now);
  const since = new Date(input.firstYear.from);
  const context = { trx, organization, input, since };
  const roster = drawRoster(input.seedName);
  const schools = await createSchools(context);
  await createUsers(context, 'ADMIN', [roster.admin]);
  await createUsers(context, 'MANAGER', [roster.manager]);
  await createPrincipals(context, roster, schools);
  await createUsers(context, 'TEACHER', roster.teachers);
  await createFamilies(context, roster);
  await openYear((work) => work(trx), organization, input.firstYear, gradesBelow(input));
  return organization;
}

/** Schools are closed on the first day of January. */
const newYearIn = ({ from }: SchoolYearDates): string => `${Number(from.slice(0, 4)) + 1}-01-01`;

/** Returns by how much grades were lower in the first year of the history. */
export const gradesBelow = ({ firstYear, year }: Pick<RosterQuery, 'firstYear' | 'year'>): 0 | 1 =>
  firstYear.name === year.name ? 0 : 1;

/** Runs one unit of work in a transaction of its own or in an open one. */
type InUnit = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

/**
 * Creates the classes of a school year with their children and teachers, and archives those of other years. Children
 * without a grade yet join a year later. Existing rows are kept.
 */
export async function openYear(
  inUnit: InUnit,
  { id: organizationId }: Pick<Organization, 'id'>,
  { name: academicYear, from }: SchoolYearDates,
  below: 0 | 1,
): Promise<void> {
  const since = new Date(from);
  const idOf = await inUnit((trx) => idsByKey(trx, organizationId));
  const schools = await inUnit(async (trx) => School.query(trx).where({ organizationId }));
  for (const [index, { grade: present, schoolIndex }] of classes.entries()) {
    const named = classes.find(({ grade }) => grade === present - below);
    const school = schools.find(({ name }) => name === schoolNames[schoolIndex]);
    if (!named || !school) continue;
    const input = { ...nameAndGrade(named), academicYear, teacherUserIds: teacherKeys(index).map(idOf) };
    const { grade } = named;
    const row = await inUnit(
      async (trx) =>
        (await SchoolClass.query(trx).findOne({ organizationId, academicYear, grade })) ??
        (await createClass(trx, school, input, since)),
    );
    const children = Array.from({ length: studentsPerClass }, (_, studentIndex) =>
      idOf(studentKey(index, studentIndex)),
    );
    await inUnit((trx) => enroll(trx, row, children, since));
  }
  const former = await inUnit(async (trx) =>
    SchoolClass.query(trx).where({ organizationId, archivedAt: null }).whereNot({ academicYear }).orderBy('id'),
  );
  for (const row of former) await inUnit((trx) => updateClass(trx, row, { archived: true }, since));
}

const nameAndGrade = ({ name, grade }: (typeof classes)[number]) => ({ name, grade });

async function idsByKey(trx: Trx, organizationId: string): Promise<IdOf> {
  const rows = await User.query(trx).where({ organizationId }).whereNotNull('externalId').select('id', 'externalId');
  return idOfAmong(rows);
}

async function createSchools({ trx, organization, since }: RosterContext): Promise<School[]> {
  const made: School[] = [];
  for (const name of schoolNames) made.push(await createSchool(trx, organization, { name, country }, since));
  return made;
}

/** Throws RangeError for an unknown key. */
type IdOf = (key: string) => number;

async function createUsers(
  { trx, organization, input, since }: RosterContext,
  primaryPersona: User['primaryPersona'],
  people: readonly Named[],
): Promise<IdOf> {
  const rows = await User.query(trx).insert(
    people.map(({ key, fullNameAr }) => ({
      organizationId: organization.id,
      scope: 'ORGANIZATION' as const,
      primaryPersona,
      email: demoEmail(key, input.spec),
      fullNameAr,
      passwordHash: input.passwordHash,
      externalId: key,
      createdAt: since.toISOString(),
    })),
  );
  for (const row of rows) await setSignInEmail(trx, row, row.email);
  return idOfAmong(rows);
}

function idOfAmong(rows: readonly Pick<User, 'id' | 'externalId'>[]): IdOf {
  const ids = new Map(rows.map(({ externalId, id }) => [externalId, id]));
  return (key) => {
    const id = ids.get(key);
    if (id === undefined) throw new RangeError(`no person has the key ${key}`);
    return id;
  };
}

async function createPrincipals(
  context: RosterContext,
  { principals }: Roster,
  schools: readonly School[],
): Promise<void> {
  const { trx, organization } = context;
  const idOf = await createUsers(context, 'PRINCIPAL', principals);
  await PrincipalSchool.query(trx).insert(
    schools.map(({ id: schoolId }, index) => ({
      organizationId: organization.id,
      principalUserId: idOf(principalKey(index)),
      schoolId,
    })),
  );
}

async function createFamilies(context: RosterContext, { students, parents }: Roster): Promise<void> {
  const { trx, organization } = context;
  const idOf = await createUsers(context, 'STUDENT', students);
  const parentIdOf = await createUsers(context, 'PARENT', parents);
  for (const { key, childKeys } of parents) {
    for (const child of childKeys) {
      await linkParent(trx, { id: idOf(child), organizationId: organization.id }, parentIdOf(key));
    }
  }
}
