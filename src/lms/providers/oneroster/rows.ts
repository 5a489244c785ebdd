// What a row of a OneRoster service says, in the words of a roster. Versions 1.1 and 1.2 are told apart row by row: in 1.2 a
// user has several roles. Nothing else of a row is looked at: no password, phone, demographics or identifiers.
import type { Course, EnrollmentRow, FaultRow, PersonRow, RosterRole } from '../../provider.ts';
import { memberOf, textOf } from '../authorized.ts';
import { cleanDate, isDate, isEmail, mostNameLength } from '../values.ts';
import type { OneRosterRow } from './pages.ts';

const guardianRoles = ['guardian', 'parent', 'relative'];

function roleOf(word: unknown): RosterRole {
  if (word === 'student' || word === 'teacher') return word;
  return guardianRoles.includes(String(word)) ? 'guardian' : 'other';
}

export function courseOf(row: OneRosterRow): Course {
  return {
    courseExternalId: row.sourcedId,
    name: textOf(row, 'title') ?? row.sourcedId,
    section: textOf(row, 'classCode') ?? null,
    grade: gradeOf(memberOf(row, 'grades')),
    active: isActive(row),
  };
}

/** Grades that the service teaches: `1` to `4`, or `01` to `04`. */
function gradeOf(grades: unknown): number | null {
  const words = [grades ?? []].flat();
  const taught = words.map((word) => /^0?([1-4])$/.exec(String(word))?.[1]);
  return taught.length === 1 && taught[0] !== undefined ? Number(taught[0]) : null;
}

const isActive = (row: OneRosterRow) => (textOf(row, 'status') ?? 'active') === 'active';

export function personOf(row: OneRosterRow): PersonRow | FaultRow {
  const roles = rolesOf(row);
  const email = textOf(row, 'email') ?? null;
  const names = ['givenName', 'middleName', 'familyName'].map((name) => textOf(row, name) ?? null);
  const length = names.filter((name) => name !== null).join(' ').length;
  if (roles.length === 0 || length === 0 || length > mostNameLength || (email !== null && !isEmail(email))) {
    return badPerson(row.sourcedId, roles);
  }
  return {
    kind: 'person',
    externalId: row.sourcedId,
    roles,
    names,
    email,
    active: isActive(row) && String(memberOf(row, 'enabledUser') ?? 'true') !== 'false',
    grade: gradeOf(memberOf(row, 'grades')),
    childExternalIds: [],
  };
}

const badPerson = (externalId: string, roles: readonly RosterRole[]): FaultRow => ({
  kind: 'fault',
  entity: roles.find((role) => role !== 'other') ?? 'student',
  externalId,
  courseExternalId: null,
  role: null,
  issue: 'bad_value',
});

function rolesOf(row: OneRosterRow): RosterRole[] {
  const several = memberOf(row, 'roles');
  const words = Array.isArray(several) ? several.map((one) => memberOf(one, 'role')) : [memberOf(row, 'role')];
  return [...new Set(words.filter((word) => typeof word === 'string').map(roleOf))];
}

/** Ids of the people whom a user is related to. */
export function agentsOf(row: OneRosterRow): readonly string[] {
  const agents = memberOf(row, 'agents');
  return Array.isArray(agents) ? agents.flatMap((agent) => textOf(agent, 'sourcedId') ?? []) : [];
}

export function enrollmentOf(row: OneRosterRow): EnrollmentRow | FaultRow | undefined {
  const courseExternalId = textOf(memberOf(row, 'class'), 'sourcedId');
  const personExternalId = textOf(memberOf(row, 'user'), 'sourcedId');
  if (courseExternalId === undefined || personExternalId === undefined) return undefined;
  const role = roleOf(memberOf(row, 'role'));
  const from = cleanDate(textOf(row, 'beginDate'));
  const to = cleanDate(textOf(row, 'endDate'));
  if (![from, to].every(isDate)) {
    const named = { externalId: personExternalId, courseExternalId, role };
    return { kind: 'fault', entity: 'enrollment', ...named, issue: 'bad_value' };
  }
  const primary = String(memberOf(row, 'primary') ?? 'false') === 'true';
  return { kind: 'enrollment', courseExternalId, personExternalId, role, primary, from, to, active: isActive(row) };
}
