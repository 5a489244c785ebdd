// Converts rows of a OneRoster service to rows of a roster. Versions 1.1 and 1.2 are distinguished row by row: in 1.2 a user
// has several roles. Other members of a row, such as passwords, phones, demographics and identifiers, are not read.
import { deletedNames, isSourceEmail, maxNameLength } from '../../engine/normal.ts';
import type { Course, EnrollmentRow, FaultRow, PersonRow, RosterRole } from '../../provider.ts';
import { type DateColumns, isUnsettled, newSpan } from '../../values/dates.ts';
import { parseFlag, parseRole, parseStatus, type Read } from '../../values/parse-enums.ts';
import { idOf, jsonMember, textMember } from '../authorized.ts';
import type { OneRosterRow } from './pages.ts';

export function courseOf(row: OneRosterRow): Course {
  return {
    courseExternalId: row.sourcedId,
    name: textMember(row, 'title') ?? row.sourcedId,
    section: textMember(row, 'classCode') ?? null,
    grade: gradeOf(jsonMember(row, 'grades')),
    active: parseStatus(jsonMember(row, 'status')) ?? false,
  };
}

/** Returns the grade, `1` to `4` or `01` to `04`, when the row names exactly one that the service teaches. */
function gradeOf(grades: unknown): number | null {
  const words = [grades ?? []].flat();
  const taught = words.map((word) => /^0?([1-4])$/.exec(String(word))?.[1]);
  return taught.length === 1 && taught[0] !== undefined ? Number(taught[0]) : null;
}

/** A row whose dates may depend on the dates of the whole list. */
export interface Unsettled<Row> {
  readonly isUnsettled: boolean;
  /** When the row is unsettled, the caller reads the list to its end first. */
  settled(): Row;
}

interface RoleOfPerson {
  readonly role: Read<RosterRole>;
  readonly from: Read<string | null>;
  readonly to: Read<string | null>;
}

/** Whether the source has deleted the person, and keeps the row to say so. */
export const isDeleted = (row: OneRosterRow): boolean => parseStatus(jsonMember(row, 'status')) === false;

/** Whether a person has no other role than that of a guardian, who is read with the children. */
export const isGuardianAlone = (row: OneRosterRow): boolean => {
  const roles = rolesOf(row, newSpan());
  return roles.length > 0 && roles.every(({ role }) => role === 'guardian');
};

/** `span`: the dates of the roles of the list. `today`: YYYY-MM-DD; a role that ended before does not count. */
export function personOf(row: OneRosterRow, span: DateColumns, today: string): Unsettled<PersonRow | FaultRow> {
  const { sourcedId: externalId } = row;
  const status = parseStatus(jsonMember(row, 'status'));
  const enabled = parseFlag(jsonMember(row, 'enabledUser'), true);
  const email = textMember(row, 'email') ?? null;
  const names = ['givenName', 'middleName', 'familyName'].map((name) => textMember(row, name) ?? null);
  const roles = rolesOf(row, span);
  const grade = gradeOf(jsonMember(row, 'grades'));
  const known = [...new Set(roles.flatMap(({ role }) => role ?? []))];
  const common = { kind: 'person', externalId, childExternalIds: [] } as const;
  if (status === false) {
    const kept = { names: deletedNames(names), email: email !== null && isSourceEmail(email) ? email : null };
    return settledRow({ ...common, roles: known, ...kept, active: false, grade });
  }
  const length = names.filter((name) => name !== null).join(' ').length;
  const isBad = [status, enabled, ...roles.flatMap(({ role, from, to }) => [role, from, to])].includes(undefined);
  if (
    isBad ||
    roles.length === 0 ||
    length === 0 ||
    length > maxNameLength ||
    (email !== null && !isSourceEmail(email))
  ) {
    return settledRow(badPerson(externalId, known));
  }
  return {
    isUnsettled: roles.some(({ from, to }) => isUnsettled(from) || isUnsettled(to)),
    settled: () => {
      const days = roles.map(({ role, from, to }) => ({
        role: role ?? 'other',
        from: span.from.settled(from ?? null),
        to: span.to.settled(to ?? null),
      }));
      if (days.some(({ from, to }) => from === undefined || to === undefined)) return badPerson(externalId, known);
      const counting = days.filter(({ to }) => !to || today <= to).map(({ role }) => role);
      return { ...common, roles: [...new Set(counting)], names, email, active: enabled === true, grade };
    },
  };
}

const settledRow = <Row>(row: Row): Unsettled<Row> => ({ isUnsettled: false, settled: () => row });

const badPerson = (externalId: string, roles: readonly RosterRole[]): FaultRow => ({
  kind: 'fault',
  entity: roles.find((role) => role !== 'other') ?? 'student',
  externalId,
  courseExternalId: null,
  role: null,
  issue: 'bad_value',
});

function rolesOf(row: OneRosterRow, span: DateColumns): RoleOfPerson[] {
  const several = jsonMember(row, 'roles');
  const one = jsonMember(row, 'role');
  const all = Array.isArray(several) ? several : one === undefined || one === null ? [] : [{ role: one }];
  return all.map((member) => ({
    role: parseRole(jsonMember(member, 'role')),
    from: span.from.read(jsonMember(member, 'beginDate')),
    to: span.to.read(jsonMember(member, 'endDate')),
  }));
}

/** Returns the ids of the people whom a user is related to. */
export function agentsOf(row: OneRosterRow): readonly string[] {
  const agents = jsonMember(row, 'agents');
  return Array.isArray(agents) ? agents.flatMap((agent) => idOf(jsonMember(agent, 'sourcedId')) ?? []) : [];
}

/** Returns undefined when the row names no class or no person. Only a deleted enrollment may leave them out, and is ignored. */
export function enrollmentOf(row: OneRosterRow, span: DateColumns): Unsettled<EnrollmentRow | FaultRow> | undefined {
  const courseExternalId = idOf(jsonMember(jsonMember(row, 'class'), 'sourcedId'));
  const personExternalId = idOf(jsonMember(jsonMember(row, 'user'), 'sourcedId'));
  if (courseExternalId === undefined || personExternalId === undefined) return undefined;
  const status = parseStatus(jsonMember(row, 'status'));
  const role = parseRole(jsonMember(row, 'role'));
  const named = { kind: 'enrollment', courseExternalId, personExternalId, role: role ?? 'other' } as const;
  if (status === false) return settledRow({ ...named, primary: false, from: null, to: null, active: false });
  const primary = parseFlag(jsonMember(row, 'primary'), false);
  const [from, to] = [span.from.read(jsonMember(row, 'beginDate')), span.to.read(jsonMember(row, 'endDate'))];
  const fault = (): FaultRow => ({
    kind: 'fault',
    entity: 'enrollment',
    externalId: personExternalId,
    courseExternalId,
    role: role ?? 'other',
    issue: 'bad_value',
  });
  if (status === undefined || role === undefined || primary === undefined || from === undefined || to === undefined) {
    return settledRow(fault());
  }
  return {
    isUnsettled: isUnsettled(from) || isUnsettled(to),
    settled: () => {
      const days = { from: span.from.settled(from), to: span.to.settled(to) };
      if (days.from === undefined || days.to === undefined) return fault();
      return { ...named, primary, from: days.from, to: days.to, active: true };
    },
  };
}
