// Reads courses and rosters from a stored set, page by page, each page in a transaction of its own.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { deletedNames, isSourceEmail } from '../engine/normal.ts';
import type { Course, CourseGoneRow, ProviderModel, RosterOptions, RosterRole, RosterRow } from '../provider.ts';
import type { ClassContent, CourseContent, EnrollmentContent, RoleContent, UserContent } from './content.ts';
import { readWhole, type StoredSet } from './whole.ts';

const pageSize = 2_000;

/** Uploaded OneRoster files as a source of rosters. */
export const csvSource: ProviderModel = {
  provider: 'oneroster',
  kind: 'csv',
  open: (services, connection) => ({
    listCourses: () => readCourses({ services, connection }),
    readRoster: (courseIds, options) => readRoster({ services, connection }, courseIds, options),
    revoke: async () => {},
  }),
};

interface CourseRow {
  readonly externalId: string;
  readonly content: ClassContent;
  readonly course: CourseContent | null;
}

/** A set has few classes compared with its people. */
function readCourses(set: StoredSet): Promise<Course[]> {
  return readWhole(set, async (hasSet) => (hasSet ? (await courseRows(set)).map(courseOf) : []));
}

const courseRows = ({ services: { db }, connection: { organizationId, id: connectionId } }: StoredSet) =>
  inReadOnlyContext(db, { organizationId }, (trx) =>
    rowsOf<CourseRow>(
      trx,
      `select k.external_id, k.content, c.content as course from lms_source_row k
       left join lms_source_row c on c.organization_id = k.organization_id and c.connection_id = k.connection_id
         and c.file = 'courses' and c.external_id = k.parent_id
       where k.organization_id = :organizationId and k.connection_id = :connectionId and k.file = 'classes'
       order by k.external_id`,
      { organizationId, connectionId },
    ),
  );

/** The grade of the class takes precedence over that of its course. */
export function courseOf({ externalId, content, course }: CourseRow): Course {
  const { name, section, grades, active } = content;
  const named = grades.length > 0 ? grades : (course?.grades ?? []);
  return { courseExternalId: externalId, name, section, grade: named.length === 1 ? (named[0] ?? null) : null, active };
}

/**
 * Reads people first, so that an enrollment of a person who was added later has no person. The rows are held compressed until
 * all of them are known to belong to one set.
 */
async function* readRoster(
  set: StoredSet,
  courseIds: readonly string[],
  { guardians, today, signal }: RosterOptions,
): AsyncIterable<RosterRow> {
  const reading = { set, courseIds, today, signal };
  const packed = await readWhole(set, async (hasSet) => {
    const pages: Buffer[] = [];
    for await (const page of hasSet ? pagesOf(reading, guardians) : [allGone(reading)]) {
      pages.push(deflateRawSync(JSON.stringify(page), { level: 1 }));
    }
    return pages;
  });
  for (const page of packed) yield* JSON.parse(inflateRawSync(page).toString()) as RosterRow[];
}

async function* pagesOf(reading: Reading, guardians: boolean): AsyncIterable<readonly RosterRow[]> {
  const gone = await goneOf(reading);
  yield gone;
  const goneIds = new Set(gone.map(({ courseExternalId }) => courseExternalId));
  const there = { ...reading, courseIds: reading.courseIds.filter((id) => !goneIds.has(id)) };
  yield* paged(there, peopleStatement(guardians), (row: UserRow) => personOf(row, reading.today));
  yield* paged(there, enrollmentStatement, enrollmentOf);
}

const allGone = ({ courseIds }: Reading): readonly RosterRow[] =>
  courseIds.map((courseExternalId) => ({ kind: 'course_gone', courseExternalId }));

interface Reading {
  readonly set: StoredSet;
  readonly courseIds: readonly string[];
  readonly today: string;
  readonly signal: AbortSignal | undefined;
}

const boundTo = ({ set: { connection }, courseIds }: Reading) => ({
  organizationId: connection.organizationId,
  connectionId: connection.id,
  courseIds: [...courseIds],
});

async function goneOf(reading: Reading): Promise<readonly CourseGoneRow[]> {
  const { db } = reading.set.services;
  const rows = await inReadOnlyContext(db, boundTo(reading), (trx) =>
    rowsOf<{ courseExternalId: string }>(
      trx,
      `select w.id as course_external_id from unnest(:courseIds::text[]) as w (id)
       where not exists (select from lms_source_row k where k.organization_id = :organizationId
         and k.connection_id = :connectionId and k.file = 'classes' and k.external_id = w.id
         and (k.content -> 'active')::boolean)`,
      boundTo(reading),
    ),
  );
  return rows.map((row) => ({ kind: 'course_gone' as const, ...row }));
}

/** Each page begins after the id of the last row of the page before. */
async function* paged<Row extends { readonly externalId: string }>(
  reading: Reading,
  statement: string,
  rowOf: (row: Row) => RosterRow,
): AsyncIterable<readonly RosterRow[]> {
  const { db } = reading.set.services;
  for (let after = '', rows: Row[] = []; ; after = rows.at(-1)?.externalId ?? '') {
    reading.signal?.throwIfAborted();
    rows = await inReadOnlyContext(db, boundTo(reading), (trx) =>
      rowsOf<Row>(trx, statement, { ...boundTo(reading), after, pageSize }),
    );
    if (rows.length > 0) yield rows.map(rowOf);
    if (rows.length < pageSize) return;
  }
}

/** `is true` prevents a semi-join, whose plan would be a guess: the list is read once for all people of a page. */
const enrolled = (person: string) => `(${person} in (select e.person_id from lms_source_row e
  where e.organization_id = :organizationId and e.connection_id = :connectionId and e.file = 'enrollments'
    and e.person_id is not null and e.parent_id = any(:courseIds::text[]))) is true`;

/** The children of a guardian. Agents are stored in both directions, whichever of the two names the other. */
const childrenOf = `select a.person_id from lms_source_row a
  where a.organization_id = :organizationId and a.connection_id = :connectionId and a.file = 'agents'
    and a.parent_id = p.external_id and ${enrolled('a.person_id')}`;

const rolesOf = `(select jsonb_agg(r.content) from lms_source_row r
  where r.organization_id = :organizationId and r.connection_id = :connectionId and r.file = 'roles'
    and r.person_id = p.external_id)`;

const peopleStatement = (guardians: boolean) => `
  select p.external_id, p.content, ${rolesOf} as roles, ${guardians ? `array(${childrenOf})` : "'{}'::text[]"} as children
  from lms_source_row p
  where p.organization_id = :organizationId and p.connection_id = :connectionId and p.file = 'users'
    and p.external_id > :after and (${enrolled('p.external_id')}${guardians ? ` or exists (${childrenOf})` : ''})
  order by p.external_id limit :pageSize`;

interface UserRow {
  readonly externalId: string;
  readonly content: UserContent;
  readonly roles: readonly RoleContent[] | null;
  readonly children: readonly string[];
}

/** A role that ended before `today` does not count, and neither does an unreadable role of a deleted person. */
function personOf({ externalId, content, roles, children }: UserRow, today: string): RosterRow {
  const current = roles?.filter(({ active, isBad, to }) => active && !isBad && (!to || today <= to));
  const all: readonly RosterRole[] = [...new Set([...content.roles, ...(current ?? []).map(({ role }) => role)])];
  const childExternalIds = all.includes('guardian') ? children : [];
  const { names, email, grade, active } = content;
  if (content.deleted) {
    const kept = { names: deletedNames(names), email: email !== null && isSourceEmail(email) ? email : null };
    return { kind: 'person', externalId, roles: all, ...kept, active: false, grade, childExternalIds };
  }
  if (content.isBad || roles?.some(({ isBad }) => isBad)) {
    const nothing = { courseExternalId: null, role: null };
    return { kind: 'fault', entity: entityOf(all), externalId, ...nothing, issue: 'bad_value' };
  }
  return { kind: 'person', externalId, roles: all, names, email, active, grade, childExternalIds };
}

const entityOf = (roles: readonly RosterRole[]) =>
  roles.includes('teacher') ? 'teacher' : roles.includes('guardian') ? 'guardian' : 'student';

const enrollmentStatement = `
  select e.external_id, e.parent_id, e.person_id, e.content from lms_source_row e
  where e.organization_id = :organizationId and e.connection_id = :connectionId and e.file = 'enrollments'
    and e.parent_id = any(:courseIds::text[]) and e.external_id > :after
  order by e.external_id limit :pageSize`;

interface EnrolledRow {
  readonly externalId: string;
  readonly parentId: string;
  readonly personId: string;
  readonly content: EnrollmentContent;
}

function enrollmentOf({ parentId: courseExternalId, personId, content }: EnrolledRow): RosterRow {
  const { isBad, role, primary, from, to, active } = content;
  if (isBad) {
    return { kind: 'fault', entity: 'enrollment', externalId: personId, courseExternalId, role, issue: 'bad_value' };
  }
  return { kind: 'enrollment', courseExternalId, personExternalId: personId, role, primary, from, to, active };
}
