// A OneRoster service as a source of rosters. The enrollments say which people are wanted; the users describe them.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { linkedSubjects } from '#identity/people/index.ts';
import type { LmsConnection } from '../../connections/rows.ts';
import type { HttpSession } from '../../http-client/http-client.ts';
import type {
  Course,
  EnrollmentRow,
  FaultRow,
  PersonRow,
  ProviderModel,
  RosterOptions,
  RosterRow,
} from '../../provider.ts';
import { newSpan } from '../../values/dates.ts';
import { type AuthorizedGet, authorizedGet } from '../authorized.ts';
import { openCredentials, type RestCredentials } from '../credentials.ts';
import { AccessRefused } from '../faults.ts';
import { networkSource } from '../source.ts';
import { type OneRosterRow, pagesOf } from './pages.ts';
import { agentsOf, courseOf, enrollmentOf, isDeleted, isGuardianAlone, personOf, type Unsettled } from './rows.ts';
import { fetchToken } from './token.ts';

export const restSource: ProviderModel = {
  provider: 'oneroster',
  kind: 'rest',
  open(services: Services, connection: LmsConnection) {
    const credentials = () => openCredentials<RestCredentials>(services.cipher, connection);
    return networkSource(
      { services, connection },
      {
        courses: (session) => readCourses(getOver(session, credentials()), credentials().root),
        roster: (session, courseIds, { guardians, today }) =>
          readRoster(getOver(session, credentials()), {
            ...{ root: credentials().root, courseIds, guardians, today },
            knownAmong: (ids) =>
              inReadOnlyContext(services.db, { organizationId: connection.organizationId }, (trx) =>
                linkedSubjects(trx, { organizationId: connection.organizationId, provider: 'oneroster' }, ids),
              ),
          }),
        // Client credentials belong to the school's own service, which revokes them itself.
        revokeAccess: async () => {},
      },
    );
  },
};

const getOver = (session: HttpSession, credentials: RestCredentials): AuthorizedGet => {
  let isSent = false;
  return authorizedGet(session, async () => {
    if (isSent && credentials.auth === 'bearer') {
      throw new AccessRefused('provider_unauthorized', 'The provider does not accept the token any more.');
    }
    isSent = true;
    const outcome = await fetchToken(session, credentials);
    if ('token' in outcome) return outcome.token;
    throw new AccessRefused('grant_revoked', 'The provider gives these client credentials no token any more.');
  });
};

async function readCourses(get: AuthorizedGet, root: string): Promise<Course[]> {
  const courses: Course[] = [];
  for await (const rows of pagesOf(get, { root, collection: 'classes' })) courses.push(...rows.map(courseOf));
  return courses;
}

interface RosterQuery extends Pick<RosterOptions, 'guardians' | 'today'> {
  readonly root: string;
  readonly courseIds: readonly string[];
  /** Returns those of the people to whom an account of the organization belongs. */
  readonly knownAmong: (ids: readonly string[]) => Promise<readonly string[]>;
}

/** People who are enrolled in one of the classes, by id, with whether the list of users has contained them. */
type Enrolled = Map<string, boolean>;

/** Reads the enrollments first. Only ids are held in memory. */
async function* readRoster(
  get: AuthorizedGet,
  { root, courseIds, guardians, today, knownAmong }: RosterQuery,
): AsyncGenerator<RosterRow> {
  const enrolled: Enrolled = new Map();
  const courses = new Set(courseIds);
  const span = newSpan();
  const enrollments = inOrder(pagesOf(get, { root, collection: 'enrollments' }), (row) => enrollmentOf(row, span));
  for await (const row of enrollments) {
    if (!courses.has(row.courseExternalId ?? '')) continue;
    if (!guardians && row.role === 'guardian') continue;
    enrolled.set(personIdOf(row), false);
    yield row;
  }
  const childrenOf: ChildrenOf = new Map();
  const roles = newSpan();
  const left = new Set<string>();
  const users = notingLeft(pagesOf(get, { root, collection: 'users' }), { enrolled, left, knownAmong });
  const people = inOrder(users, (row) => {
    if (left.delete(row.sourcedId)) return personOf(row, roles, today);
    if (enrolled.get(row.sourcedId) !== false) return undefined;
    enrolled.set(row.sourcedId, true);
    if (guardians) noteAgents(childrenOf, row);
    return personOf(row, roles, today);
  });
  for await (const row of people) {
    const person = guardians ? row : withoutGuardian(row);
    if (person) yield person;
  }
  if (guardians) yield* readGuardians(get, { root, today }, { enrolled, childrenOf });
}

interface Departures extends Pick<RosterQuery, 'knownAmong'> {
  readonly enrolled: Enrolled;
  /** People of the page who are deleted at the source and known here. Filled before the page is yielded. */
  readonly left: Set<string>;
}

/**
 * A person who is deleted at the source may stand in no enrollment any more. Their account would stay active for ever, so that
 * rows of people whom the organization knows are read, and no others of a list that holds a whole district.
 */
async function* notingLeft(
  pages: AsyncIterable<readonly OneRosterRow[]>,
  { enrolled, left, knownAmong }: Departures,
): AsyncGenerator<readonly OneRosterRow[]> {
  for await (const rows of pages) {
    const deleted = rows.filter((row) => !enrolled.has(row.sourcedId) && isDeleted(row) && !isGuardianAlone(row));
    for (const id of await knownAmong(deleted.map(({ sourcedId }) => sourcedId))) left.add(id);
    yield rows;
  }
}

/** Yields rows in the order of the list, except rows whose dates only the whole list settles: these come at its end. */
async function* inOrder<Row>(
  pages: AsyncIterable<readonly OneRosterRow[]>,
  read: (row: OneRosterRow) => Unsettled<Row> | undefined,
): AsyncGenerator<Row> {
  const waiting: Unsettled<Row>[] = [];
  for await (const rows of pages) {
    for (const row of rows) {
      const one = read(row);
      if (one?.isUnsettled) waiting.push(one);
      else if (one) yield one.settled();
    }
  }
  for (const one of waiting) yield one.settled();
}

/** Removes the role of a guardian when guardians are not imported: a teacher who is a parent too is a teacher. */
function withoutGuardian(row: PersonRow | FaultRow): PersonRow | FaultRow | undefined {
  if (row.kind === 'fault') return row.entity === 'guardian' ? undefined : row;
  const roles = row.roles.filter((role) => role !== 'guardian');
  return roles.length > 0 || row.roles.length === 0 ? { ...row, roles } : undefined;
}

const personIdOf = (row: EnrollmentRow | FaultRow) => (row.kind === 'fault' ? row.externalId : row.personExternalId);

/** The children of each guardian. A single one, by far the most frequent case, is held without a list. */
type ChildrenOf = Map<string, string | string[]>;

/** In a OneRoster service students may name their guardians, guardians their children, or both. */
function noteAgents(childrenOf: ChildrenOf, student: OneRosterRow): void {
  for (const agent of agentsOf(student)) {
    const children = childrenOf.get(agent);
    childrenOf.set(agent, children === undefined ? student.sourcedId : [...[children].flat(), student.sourcedId]);
  }
}

interface Known {
  readonly enrolled: ReadonlyMap<string, boolean>;
  readonly childrenOf: ReadonlyMap<string, string | string[]>;
}

async function* readGuardians(
  get: AuthorizedGet,
  { root, today }: Pick<RosterQuery, 'root' | 'today'>,
  { enrolled, childrenOf }: Known,
): AsyncGenerator<PersonRow | FaultRow> {
  const childrenOfGuardian = new Map<string, readonly string[]>();
  const roles = newSpan();
  const people = inOrder(pagesOf(get, { root, collection: 'users' }), (row) => {
    if (childrenOfGuardian.has(row.sourcedId) || enrolled.get(row.sourcedId)) return undefined;
    const named = agentsOf(row).filter((id) => enrolled.has(id));
    const children = [...new Set([...named, ...[childrenOf.get(row.sourcedId) ?? []].flat()])];
    if (children.length === 0) return undefined;
    childrenOfGuardian.set(row.sourcedId, children);
    return personOf(row, roles, today);
  });
  for await (const person of people) {
    const isGuardian = person.kind === 'person' ? person.roles.includes('guardian') : person.entity === 'guardian';
    if (!isGuardian) continue;
    const childExternalIds = childrenOfGuardian.get(person.externalId) ?? [];
    yield person.kind === 'person' ? { ...person, childExternalIds } : person;
  }
}
