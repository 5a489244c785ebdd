// Converts rows of a OneRoster service to rows of a roster. Versions 1.1 and 1.2 are distinguished row by row: in 1.2 a user
// has several roles. Other members of a row, such as passwords, phones, demographics and identifiers, are not read.
import { deletedNames, isEmail, maxNameLength } from '../../engine/normal.ts';
import type { Course, EnrollmentRow, FaultRow, PersonRow, RosterRole } from '../../provider.ts';
import { isUnsettled, type Span } from '../../values/dates.ts';
import { parseFlag, parseRole, parseStatus, type Read } from '../../values/parse-enums.ts';
import { idOf, memberOf, textOf } from '../authorized.ts';
import type { OneRosterRow } from './pages.ts';

export function courseOf(row: OneRosterRow): Course {
  return {
    courseExternalId: row.sourcedId,
    name: textOf(row, 'title') ?? row.sourcedId,
    section: textOf(row, 'classCode') ?? null,
    grade: gradeOf(memberOf(row, 'grades')),
    active: parseStatus(memberOf(row, 'status')) ?? false,
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

/** `span`: the dates of the roles of the list. `today`: YYYY-MM-DD; a role that ended before does not count. */
export function personOf(row: OneRosterRow, span: Span, today: string): Unsettled<PersonRow | FaultRow> {
  const { sourcedId: externalId } = row;
  const status = parseStatus(memberOf(row, 'status'));
  const enabled = parseFlag(memberOf(row, 'enabledUser'), true);
  const email = textOf(row, 'email') ?? null;
  const names = ['givenName', 'middleName', 'familyName'].map((name) => textOf(row, name) ?? null);
  const roles = rolesOf(row, span);
  const grade = gradeOf(memberOf(row, 'grades'));
  const known = [...new Set(roles.flatMap(({ role }) => role ?? []))];
  const common = { kind: 'person', externalId, childExternalIds: [] } as const;
  if (status === false) {
    const kept = { names: deletedNames(names), email: email !== null && isEmail(email) ? email : null };
    return settledRow({ ...common, roles: known, ...kept, active: false, grade });
  }
  const length = names.filter((name) => name !== null).join(' ').length;
  const isBad = [status, enabled, ...roles.flatMap(({ role, from, to }) => [role, from, to])].includes(undefined);
  if (isBad || roles.length === 0 || length === 0 || length > maxNameLength || (email !== null && !isEmail(email))) {
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

function rolesOf(row: OneRosterRow, span: Span): RoleOfPerson[] {
  const several = memberOf(row, 'roles');
  const one = memberOf(row, 'role');
  const all = Array.isArray(several) ? several : one === undefined || one === null ? [] : [{ role: one }];
  return all.map((member) => ({
    role: parseRole(memberOf(member, 'role')),
    from: span.from.read(memberOf(member, 'beginDate')),
    to: span.to.read(memberOf(member, 'endDate')),
  }));
}

/** Returns the ids of the people whom a user is related to. */
export function agentsOf(row: OneRosterRow): readonly string[] {
  const agents = memberOf(row, 'agents');
  return Array.isArray(agents) ? agents.flatMap((agent) => idOf(memberOf(agent, 'sourcedId')) ?? []) : [];
}

/** Returns undefined when the row names no class or no person. Only a deleted enrollment may leave them out, and is ignored. */
export function enrollmentOf(row: OneRosterRow, span: Span): Unsettled<EnrollmentRow | FaultRow> | undefined {
  const courseExternalId = idOf(memberOf(memberOf(row, 'class'), 'sourcedId'));
  const personExternalId = idOf(memberOf(memberOf(row, 'user'), 'sourcedId'));
  if (courseExternalId === undefined || personExternalId === undefined) return undefined;
  const status = parseStatus(memberOf(row, 'status'));
  const role = parseRole(memberOf(row, 'role'));
  const named = { kind: 'enrollment', courseExternalId, personExternalId, role: role ?? 'other' } as const;
  if (status === false) return settledRow({ ...named, primary: false, from: null, to: null, active: false });
  const primary = parseFlag(memberOf(row, 'primary'), false);
  const [from, to] = [span.from.read(memberOf(row, 'beginDate')), span.to.read(memberOf(row, 'endDate'))];
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
