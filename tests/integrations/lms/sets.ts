// OneRoster sets as administrators send them.

export type Files = Readonly<Record<string, string>>;

export const csv = (header: readonly string[], rows: readonly (readonly string[])[], end = '\n'): string =>
  [header, ...rows].map((cells) => cells.join(',')).join(end) + end;

export interface Person {
  readonly id: string;
  readonly role?: string;
  readonly given?: string;
  readonly family?: string;
  readonly email?: string;
  readonly status?: string;
  readonly enabled?: string;
  readonly grades?: string;
  readonly agents?: string;
}

export interface Enrolled {
  /** Default: one for each course, person and role. */
  readonly id?: string;
  readonly course: string;
  readonly person: string;
  readonly role?: string;
  readonly primary?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface Roster {
  readonly mode?: 'bulk' | 'delta';
  readonly classes?: readonly { readonly id: string; readonly title: string; readonly grade?: string }[];
  readonly people?: readonly Person[];
  readonly enrolled?: readonly Enrolled[];
}

const userHeader = [
  ...['sourcedId', 'status', 'dateLastModified', 'enabledUser', 'orgSourcedIds', 'role', 'username', 'userIds'],
  ...[
    'givenName',
    'familyName',
    'middleName',
    'identifier',
    'email',
    'sms',
    'phone',
    'agentSourcedIds',
    'grades',
    'password',
  ],
];
const classHeader = ['sourcedId', 'status', 'dateLastModified', 'title', 'grades', 'courseSourcedId', 'classCode'];
const enrollmentHeader = [
  ...['sourcedId', 'status', 'dateLastModified', 'classSourcedId', 'schoolSourcedId', 'userSourcedId', 'role'],
  ...['primary', 'beginDate', 'endDate'],
];

const files = ['academicSessions', 'classes', 'courses', 'demographics', 'enrollments', 'orgs', 'users'];

export const manifest = (modes: Readonly<Record<string, string>>, version = '1.1'): string =>
  csv(
    ['propertyName', 'value'],
    [
      ['manifest.version', '1.0'],
      ['oneroster.version', version],
      ...files.map((file) => [`file.${file}`, modes[file] ?? 'absent']),
      ...Object.entries(modes)
        .filter(([file]) => !files.includes(file))
        .map(([file, mode]) => [`file.${file}`, mode]),
    ],
  );

/** Version 1.1. */
export function rosterSet({ mode = 'bulk', classes, people, enrolled }: Roster): Files {
  const status = (given: string | undefined) => given ?? (mode === 'delta' ? 'active' : '');
  return {
    'manifest.csv': manifest({
      ...(classes && { classes: mode }),
      ...(people && { users: mode }),
      ...(enrolled && { enrollments: mode }),
    }),
    ...(classes && {
      'classes.csv': csv(
        classHeader,
        classes.map(({ id, title, grade = '03' }) => [id, status(undefined), '', title, grade, '', '']),
      ),
    }),
    ...(people && {
      'users.csv': csv(
        userHeader,
        people.map((one) => [
          ...[one.id, status(one.status), '', one.enabled ?? 'true', 'org', one.role ?? 'student', one.id, ''],
          ...[one.given ?? 'نورة', one.family ?? 'العتيبي', '', '', one.email ?? '', '', '', one.agents ?? ''],
          ...[one.grades ?? '', 'never read'],
        ]),
      ),
    }),
    ...(enrolled && {
      'enrollments.csv': csv(
        enrollmentHeader,
        enrolled.map((one) => [
          ...[
            one.id ?? `${one.course}-${one.person}-${one.role ?? 'student'}`,
            status(one.status),
            '',
            one.course,
            'org',
          ],
          ...[one.person, one.role ?? 'student', one.primary ?? 'false', one.from ?? '', one.to ?? ''],
        ]),
      ),
    }),
  };
}

export const smallSet = (): Files =>
  rosterSet({
    classes: [{ id: 'class-1', title: 'فصل' }],
    people: [{ id: 'student-1' }],
    enrolled: [{ course: 'class-1', person: 'student-1' }],
  });

export const jsonFiles = (set: Files | Readonly<Record<string, Uint8Array>>) =>
  Object.entries(set).map(([name, content]) => ({ name, contentBase64: Buffer.from(content).toString('base64') }));
