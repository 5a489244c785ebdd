// What of each file is kept: nothing but what an import reads. Passwords, further ids, phones, demographics and preferred
// names are never looked at.
import type { ClassContent, EnrollmentContent, RoleContent, SourceFile, SourceRow, UserContent } from '../content.ts';
import { dateIn, flagIn, gradesIn, isActiveIn, isId, listIn, orNull, roleIn } from './cells.ts';
import type { Faults } from './faults.ts';
import type { SetVersion } from './manifest.ts';
import type { Table, TableRow } from './table.ts';

export interface Reading {
  readonly version: SetVersion;
  /** Without it guardians are not read at all. */
  readonly guardians: boolean;
  readonly faults: Faults;
}

export interface FileModel extends Table {
  readonly file: SourceFile;
  /** Columns of ids beside the row's own, each of them needed. */
  readonly references: readonly string[];
  /** The row's id is that of its own column. */
  rows(row: TableRow, reading: Reading): SourceRow[];
}

const own = (row: TableRow) => row.cell('sourcedId');

const classes: FileModel = {
  ...{ file: 'classes', name: 'classes.csv', needed: ['sourcedId', 'title'], references: [] },
  rows(row) {
    const content: ClassContent = {
      name: row.cell('title'),
      section: orNull(row.cell('classCode')),
      grades: gradesIn(row.cell('grades')),
      active: isActiveIn(row.cell('status')) ?? false,
    };
    return [
      { file: 'classes', externalId: own(row), parentId: orNull(row.cell('courseSourcedId')), personId: null, content },
    ];
  },
};

const courses: FileModel = {
  ...{ file: 'courses', name: 'courses.csv', needed: ['sourcedId'], references: [] },
  rows: (row) => [
    {
      file: 'courses',
      externalId: own(row),
      parentId: null,
      personId: null,
      content: { grades: gradesIn(row.cell('grades')) },
    },
  ],
};

const userColumns = ['sourcedId', 'givenName', 'familyName'];

const users = (version: SetVersion): FileModel => ({
  ...{ file: 'users', name: 'users.csv', references: [] },
  needed: version === '1.1' ? [...userColumns, 'role'] : userColumns,
  rows(row, { guardians }) {
    const role = version === '1.1' ? roleIn(row.cell('role')) : null;
    if (role === 'guardian' && !guardians) return [];
    const [active, enabled] = [isActiveIn(row.cell('status')), flagIn(row.cell('enabledUser'), true)];
    const grades = gradesIn(row.cell('grades'));
    const content: UserContent = {
      names: [row.cell('givenName'), row.cell('middleName'), row.cell('familyName')].map(orNull),
      email: orNull(row.cell('email')),
      roles: role ? [role] : [],
      grade: grades.length === 1 ? (grades[0] ?? null) : null,
      active: active === true && enabled === true,
      isBad: role === undefined || active === undefined || enabled === undefined,
    };
    const person: SourceRow = { file: 'users', externalId: own(row), parentId: null, personId: null, content };
    return guardians ? [person, ...agentsOf(row)] : [person];
  },
});

/** In both directions: a student names guardians, a guardian names children. */
const agentsOf = (row: TableRow): SourceRow[] =>
  [...new Set(listIn(row.cell('agentSourcedIds')))]
    .filter(isId)
    .flatMap((agent) => [agentRow(own(row), agent, own(row)), agentRow(own(row), own(row), agent)]);

/** Between ids stands what no id holds. */
export const idSeparator = '\u001f';

const agentRow = (teller: string, parentId: string, personId: string): SourceRow => ({
  file: 'agents',
  externalId: [teller, parentId, personId].join(idSeparator),
  parentId,
  personId,
  content: {},
});

const rolesFile: FileModel = {
  ...{
    file: 'roles',
    name: 'roles.csv',
    needed: ['sourcedId', 'userSourcedId', 'role'],
    references: ['userSourcedId'],
  },
  rows(row, { guardians }) {
    const [role, active] = [roleIn(row.cell('role')), isActiveIn(row.cell('status'))];
    if (role === 'guardian' && !guardians) return [];
    const dates = [dateIn(row.cell('beginDate')), dateIn(row.cell('endDate'))];
    const content: RoleContent = {
      role: role ?? 'other',
      active: active ?? false,
      isBad: role === undefined || active === undefined || dates.includes(undefined),
    };
    return [{ file: 'roles', externalId: own(row), parentId: null, personId: row.cell('userSourcedId'), content }];
  },
};

const enrollments: FileModel = {
  ...{ file: 'enrollments', name: 'enrollments.csv', references: ['classSourcedId', 'userSourcedId'] },
  needed: ['sourcedId', 'classSourcedId', 'userSourcedId', 'role'],
  rows(row, { guardians }) {
    const [role, active] = [roleIn(row.cell('role')), isActiveIn(row.cell('status'))];
    if (role === 'guardian' && !guardians) return [];
    const [from, to] = [dateIn(row.cell('beginDate')), dateIn(row.cell('endDate'))];
    const primary = flagIn(row.cell('primary'), false);
    const content: EnrollmentContent = {
      role: role ?? 'other',
      primary: primary ?? false,
      from: from ?? null,
      to: to ?? null,
      active: active ?? false,
      isBad: [role, active, from, to, primary].includes(undefined),
    };
    const [parentId, personId] = [row.cell('classSourcedId'), row.cell('userSourcedId')];
    return [{ file: 'enrollments', externalId: own(row), parentId, personId, content }];
  },
};

/** The files of a version that an import reads; courses only say grades, and may be missing. */
export const modelsOf = (version: SetVersion): readonly FileModel[] => [
  classes,
  courses,
  users(version),
  ...(version === '1.2' ? [rolesFile] : []),
  enrollments,
];
