// A OneRoster service as a source of rosters. The lists are read as they come: enrollments tell who is wanted, users who they
// are.
import type { Services } from '#core/module/services.ts';
import type { LmsConnection } from '../../connections/rows.ts';
import type {
  Course,
  EnrollmentRow,
  FaultRow,
  PersonRow,
  ProviderModel,
  RosterAsking,
  RosterRow,
} from '../../provider.ts';
import type { Talk } from '../../reaching/reach.ts';
import { newSpan } from '../../values/dates.ts';
import { type AskFor, authorized } from '../authorized.ts';
import { openCredentials, type RestCredentials } from '../credentials.ts';
import { AccessRefused } from '../faults.ts';
import { networkSource } from '../source.ts';
import { type OneRosterRow, pagesOf } from './pages.ts';
import { agentsOf, courseOf, enrollmentOf, personOf, type Unsettled } from './rows.ts';
import { fetchToken } from './token.ts';

export const restSource: ProviderModel = {
  provider: 'oneroster',
  kind: 'rest',
  open(services: Services, connection: LmsConnection) {
    const credentials = () => openCredentials<RestCredentials>(services.cipher, connection);
    return networkSource(
      { services, connection },
      {
        courses: (talk) => readCourses(asking(talk, credentials()), credentials().root),
        roster: (talk, courseIds, { guardians, today }) =>
          readRoster(asking(talk, credentials()), { root: credentials().root, courseIds, guardians, today }),
        // Client credentials belong to the school's own service, which ends them itself.
        giveBack: async () => {},
      },
    );
  },
};

const asking = (talk: Talk, credentials: RestCredentials): AskFor => {
  let isShown = false;
  return authorized(talk, async () => {
    if (isShown && credentials.auth === 'bearer') {
      throw new AccessRefused('provider_unauthorized', 'The provider does not accept the token any more.');
    }
    isShown = true;
    const outcome = await fetchToken(talk, credentials);
    if ('token' in outcome) return outcome.token;
    throw new AccessRefused('grant_revoked', 'The provider gives these client credentials no token any more.');
  });
};

async function readCourses(ask: AskFor, root: string): Promise<Course[]> {
  const courses: Course[] = [];
  for await (const rows of pagesOf(ask, { root, collection: 'classes' })) courses.push(...rows.map(courseOf));
  return courses;
}

interface Wanted extends Pick<RosterAsking, 'guardians' | 'today'> {
  readonly root: string;
  readonly courseIds: readonly string[];
}

/** Whoever is enrolled in one of the classes, and whether the list of users has told of them. */
type Enrolled = Map<string, boolean>;

/** Enrollments first, and of all that is read only ids are held. */
async function* readRoster(ask: AskFor, { root, courseIds, guardians, today }: Wanted): AsyncGenerator<RosterRow> {
  const enrolled: Enrolled = new Map();
  const courses = new Set(courseIds);
  const span = newSpan();
  const enrollments = inOrder(pagesOf(ask, { root, collection: 'enrollments' }), (row) => enrollmentOf(row, span));
  for await (const row of enrollments) {
    if (!courses.has(row.courseExternalId ?? '')) continue;
    if (!guardians && row.role === 'guardian') continue;
    enrolled.set(personIdOf(row), false);
    yield row;
  }
  const childrenOf: ChildrenOf = new Map();
  const roles = newSpan();
  const people = inOrder(pagesOf(ask, { root, collection: 'users' }), (row) => {
    if (enrolled.get(row.sourcedId) !== false) return undefined;
    enrolled.set(row.sourcedId, true);
    if (guardians) noteAgents(childrenOf, row);
    return personOf(row, roles, today);
  });
  for await (const row of people) {
    const person = guardians ? row : withoutGuardian(row);
    if (person) yield person;
  }
  if (guardians) yield* readGuardians(ask, { root, today }, { enrolled, childrenOf });
}

/** Rows in the order of the list, but for those whose dates only the whole list settles: they come at its end. */
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

/** Where guardians are not imported nobody is read as one: a teacher who is a parent too is a teacher. */
function withoutGuardian(row: PersonRow | FaultRow): PersonRow | FaultRow | undefined {
  if (row.kind === 'fault') return row.entity === 'guardian' ? undefined : row;
  const roles = row.roles.filter((role) => role !== 'guardian');
  return roles.length > 0 || row.roles.length === 0 ? { ...row, roles } : undefined;
}

const personIdOf = (row: EnrollmentRow | FaultRow) => (row.kind === 'fault' ? row.externalId : row.personExternalId);

/** By their guardians; one child is by far the most frequent. */
type ChildrenOf = Map<string, string | string[]>;

/** Students name their guardians, or guardians their children, or both. */
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
  ask: AskFor,
  { root, today }: Pick<Wanted, 'root' | 'today'>,
  { enrolled, childrenOf }: Known,
): AsyncGenerator<PersonRow | FaultRow> {
  const childrenOfGuardian = new Map<string, readonly string[]>();
  const roles = newSpan();
  const people = inOrder(pagesOf(ask, { root, collection: 'users' }), (row) => {
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
