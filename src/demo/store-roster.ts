// Stores the roster of an organization: schools, classes, people and who belongs where, in one transaction.

import { type SchoolYearDates, schoolYearDates, type YearStart } from '../catalogue/index.ts';
import {
  createClass,
  createOrganization,
  createSchool,
  enroll,
  linkParent,
  nameForSignIn,
  type Organization,
  PrincipalSchool,
  type School,
  type SchoolClass,
  User,
} from '../people/index.ts';
import type { Trx } from '../platform/db.ts';
import { localDate } from '../platform/pure/dates/calendar.ts';
import {
  classes,
  drawRoster,
  type Named,
  principalKey,
  type Roster,
  schoolNames,
  teacherKeys,
} from './engine/roster.ts';
import { type DemoSpec, emailOf } from './logins.ts';

const country = 'SA';
export const timeZone = 'Asia/Riyadh';

export interface RosterQuery {
  readonly spec: DemoSpec;
  /** Until the organization is complete it does not carry the slug of its specification. */
  readonly draftSlug: string;
  readonly seedName: string;
  /** Hashing is slow on purpose, so everybody shares one. */
  readonly passwordHash: string;
  /** Of the catalogue in force. */
  readonly yearStart: YearStart;
}

interface Place {
  readonly trx: Trx;
  readonly organization: Organization;
  readonly input: RosterQuery;
  /** First day of the school year: everybody has been there since then. */
  readonly since: Date;
  readonly academicYear: SchoolYearDates['name'];
}

export async function storeRoster(trx: Trx, input: RosterQuery, now: Date): Promise<Organization> {
  const { name } = input.spec;
  const details = { name, slug: input.draftSlug, country, defaultLocale: 'ar', timeZone };
  const organization = await createOrganization(trx, details, now);
  const { name: academicYear, from } = schoolYearDates(localDate(now, timeZone), input.yearStart);
  const since = new Date(from);
  const place = { trx, organization, input, since, academicYear };
  const roster = drawRoster(input.seedName);
  const schools = await createSchools(place);
  await createUsers(place, 'ADMIN', [roster.admin]);
  await createUsers(place, 'MANAGER', [roster.manager]);
  await createPrincipals(place, roster, schools);
  const rows = await createClasses(place, roster, schools);
  await createFamilies(place, roster, rows);
  return organization;
}

async function createSchools({ trx, organization, since }: Place): Promise<School[]> {
  const made: School[] = [];
  for (const name of schoolNames) made.push(await createSchool(trx, organization, { name, country }, since));
  return made;
}

/** Throws RangeError for a key that nobody has. */
type IdOf = (key: string) => number;

async function createUsers(
  { trx, organization, input, since }: Place,
  primaryPersona: User['primaryPersona'],
  people: readonly Named[],
): Promise<IdOf> {
  const rows = await User.query(trx).insert(
    people.map(({ key, fullNameAr }) => ({
      organizationId: organization.id,
      scope: 'ORGANIZATION' as const,
      primaryPersona,
      email: emailOf(key, input.spec),
      fullNameAr,
      passwordHash: input.passwordHash,
      externalId: key,
      createdAt: since.toISOString(),
    })),
  );
  for (const row of rows) await nameForSignIn(trx, row, row.email);
  const ids = new Map(rows.map(({ externalId, id }) => [externalId, id]));
  return (key) => {
    const id = ids.get(key);
    if (id === undefined) throw new RangeError(`nobody is ${key}`);
    return id;
  };
}

async function createPrincipals(place: Place, { principals }: Roster, schools: readonly School[]): Promise<void> {
  const { trx, organization } = place;
  const idOf = await createUsers(place, 'PRINCIPAL', principals);
  await PrincipalSchool.query(trx).insert(
    schools.map(({ id: schoolId }, index) => ({
      organizationId: organization.id,
      principalUserId: idOf(principalKey(index)),
      schoolId,
    })),
  );
}

async function createClasses(place: Place, roster: Roster, schools: readonly School[]): Promise<SchoolClass[]> {
  const { trx, since, academicYear } = place;
  const idOf = await createUsers(place, 'TEACHER', roster.teachers);
  const made: SchoolClass[] = [];
  for (const [ofSchool, school] of schools.entries()) {
    for (const [index, { grade, name, schoolIndex }] of classes.entries()) {
      if (schoolIndex !== ofSchool) continue;
      const teacherUserIds = teacherKeys(index).map(idOf);
      made.push(await createClass(trx, school, { name, grade, academicYear, teacherUserIds }, since));
    }
  }
  return made;
}

async function createFamilies(
  place: Place,
  { students, parents }: Roster,
  rows: readonly SchoolClass[],
): Promise<void> {
  const { trx, organization, since } = place;
  const idOf = await createUsers(place, 'STUDENT', students);
  for (const row of rows) {
    const own = students.filter(({ classIndex }) => classes[classIndex]?.grade === row.grade);
    const ids = own.map(({ key }) => idOf(key));
    await enroll(trx, row, ids, since);
  }
  const parentIdOf = await createUsers(place, 'PARENT', parents);
  for (const { key, childKeys } of parents) {
    for (const child of childKeys) {
      await linkParent(trx, { id: idOf(child), organizationId: organization.id }, parentIdOf(key));
    }
  }
}
