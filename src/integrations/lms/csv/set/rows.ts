// Selects the content of each file that an import needs. Passwords, further ids, phones, demographics and preferred names are
// not read.
import { type DateColumns, isUnsettled } from '../../values/dates.ts';
import { parseFlag, parseRole, parseStatus } from '../../values/parse-enums.ts';
import type {
  ClassContent,
  DatedContent,
  EnrollmentContent,
  RoleContent,
  SourceFile,
  SourceRow,
  UserContent,
} from '../content.ts';
import type { CsvFaults } from './faults.ts';
import type { SetVersion } from './manifest.ts';
import type { CsvTable, TableRow } from './table.ts';

export interface CsvReading {
  readonly version: SetVersion;
  /** When false, guardians are not read. */
  readonly guardians: boolean;
  readonly faults: CsvFaults;
  /** The dates of this file. */
  readonly span: DateColumns;
}

export interface FileModel extends CsvTable {
  readonly file: SourceFile;
  /** The columns with ids of other rows. They are required unless the row is deleted. */
  readonly references: readonly string[];
  /** The id of each row is that of its own column. */
  rows(row: TableRow, reading: CsvReading): SourceRow[];
  /** For a file with dates, returns the row with settled dates. The whole file was read before. */
  settled?(row: SourceRow, span: DateColumns): SourceRow;
}

const own = (row: TableRow) => row.cell('sourcedId');

export const isDeleted = (row: TableRow): boolean => parseStatus(row.cell('status')) === false;

const deletedIf = (active: boolean | undefined) => (active === false ? ({ deleted: true } as const) : {});

/** Reads both date columns of a row. The whole column may be needed to settle a date. */
function daysOf(row: TableRow, span: DateColumns) {
  const [from, to] = [span.from.read(row.cell('beginDate')), span.to.read(row.cell('endDate'))];
  return { from: from ?? null, to: to ?? null, areBad: from === undefined || to === undefined };
}

function settledDays(row: SourceRow, span: DateColumns): SourceRow {
  const content = row.content as DatedContent;
  if (!isUnsettled(content.from) && !isUnsettled(content.to)) return row;
  const [from, to] = [span.from.settled(content.from), span.to.settled(content.to)];
  const isBad = content.isBad || from === undefined || to === undefined;
  return { ...row, content: { ...content, from: from ?? null, to: to ?? null, isBad } };
}

const classes: FileModel = {
  file: 'classes',
  name: 'classes.csv',
  needed: ['sourcedId', 'title'],
  references: [],
  rows(row) {
    const active = parseStatus(row.cell('status'));
    const content: ClassContent = {
      name: row.cell('title'),
      section: orNull(row.cell('classCode')),
      grades: gradesIn(row.cell('grades')),
      active: active ?? false,
      ...deletedIf(active),
    };
    return [
      { file: 'classes', externalId: own(row), parentId: orNull(row.cell('courseSourcedId')), personId: null, content },
    ];
  },
};

const courses: FileModel = {
  file: 'courses',
  name: 'courses.csv',
  needed: ['sourcedId'],
  references: [],
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
  file: 'users',
  name: 'users.csv',
  references: [],
  needed: version === '1.1' ? [...userColumns, 'role'] : userColumns,
  rows(row, { guardians }) {
    const role = version === '1.1' ? parseRole(row.cell('role')) : null;
    if (role === 'guardian' && !guardians) return [];
    const [active, enabled] = [parseStatus(row.cell('status')), parseFlag(row.cell('enabledUser'), true)];
    const grades = gradesIn(row.cell('grades'));
    const content: UserContent = {
      names: [row.cell('givenName'), row.cell('middleName'), row.cell('familyName')].map(orNull),
      email: orNull(row.cell('email')),
      roles: role ? [role] : [],
      grade: grades.length === 1 ? (grades[0] ?? null) : null,
      active: active === true && enabled === true,
      isBad: active !== false && (role === undefined || active === undefined || enabled === undefined),
      ...deletedIf(active),
    };
    const person: SourceRow = { file: 'users', externalId: own(row), parentId: null, personId: null, content };
    return guardians ? [person, ...agentsOf(row)] : [person];
  },
});

/** Returns agents in both directions: a student names guardians, and a guardian names children. */
const agentsOf = (row: TableRow): SourceRow[] =>
  [...new Set(listIn(row.cell('agentSourcedIds')))]
    .filter(isSourceId)
    .flatMap((agent) => [agentRow(own(row), agent, own(row)), agentRow(own(row), own(row), agent)]);

/** Separates ids with a character that no id has. */
export const idSeparator = '\u001f';

const agentRow = (teller: string, parentId: string, personId: string): SourceRow => ({
  file: 'agents',
  externalId: [teller, parentId, personId].join(idSeparator),
  parentId,
  personId,
  content: {},
});

const rolesFile: FileModel = {
  file: 'roles',
  name: 'roles.csv',
  needed: ['sourcedId', 'userSourcedId', 'role'],
  references: ['userSourcedId'],
  rows(row, { guardians, span }) {
    const [role, active] = [parseRole(row.cell('role')), parseStatus(row.cell('status'))];
    if (role === 'guardian' && !guardians) return [];
    const { from, to, areBad } = daysOf(row, span);
    const content: RoleContent = {
      role: role ?? 'other',
      from,
      to,
      active: active ?? false,
      isBad: active !== false && (role === undefined || active === undefined || areBad),
      ...deletedIf(active),
    };
    const personId = idOrNull(row.cell('userSourcedId'));
    return [{ file: 'roles', externalId: own(row), parentId: null, personId, content }];
  },
  settled: settledDays,
};

const enrollments: FileModel = {
  file: 'enrollments',
  name: 'enrollments.csv',
  references: ['classSourcedId', 'userSourcedId'],
  needed: ['sourcedId', 'classSourcedId', 'userSourcedId', 'role'],
  rows(row, { guardians, span }) {
    const [role, active] = [parseRole(row.cell('role')), parseStatus(row.cell('status'))];
    if (role === 'guardian' && !guardians) return [];
    const { from, to, areBad } = daysOf(row, span);
    const primary = parseFlag(row.cell('primary'), false);
    const content: EnrollmentContent = {
      role: role ?? 'other',
      primary: primary ?? false,
      from,
      to,
      active: active ?? false,
      isBad: active !== false && (areBad || [role, active, primary].includes(undefined)),
      ...deletedIf(active),
    };
    const [parentId, personId] = [idOrNull(row.cell('classSourcedId')), idOrNull(row.cell('userSourcedId'))];
    return [{ file: 'enrollments', externalId: own(row), parentId, personId, content }];
  },
  settled: settledDays,
};

/** Returns the files of a version that an import reads. `courses` only has grades and may be missing. */
export const modelsOf = (version: SetVersion): readonly FileModel[] => [
  classes,
  courses,
  users(version),
  ...(version === '1.2' ? [rolesFile] : []),
  enrollments,
];

const maxIdLength = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an id has no control characters
const control = /[\u0000-\u001f\u007f]/;

export const isSourceId = (text: string): boolean => text !== '' && text.length <= maxIdLength && !control.test(text);

function idOrNull(text: string): string | null {
  return isSourceId(text) ? text : null;
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

function listIn(text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
}

/** Returns the grades 1 to 4 of a list. The service teaches no other grades. */
function gradesIn(text: string): number[] {
  return [...new Set(listIn(text).flatMap((word) => (/^0?[1-4]$/.test(word) ? [Number(word)] : [])))];
}
