// A OneRoster service as a source of rosters. The lists are read as they come: enrollments tell who is wanted, users who they
// are.
import type { Services } from '../../../kernel/services.ts';
import type { LmsConnection } from '../../connections/rows.ts';
import type { Course, EnrollmentRow, FaultRow, PersonRow, ProviderModel, RosterRow } from '../../provider.ts';
import type { Talk } from '../../reaching/reach.ts';
import { type AskFor, authorized } from '../authorized.ts';
import { openCredentials, type RestCredentials } from '../credentials.ts';
import { AccessRefused } from '../faults.ts';
import { networkSource } from '../source.ts';
import { type OneRosterRow, pagesOf } from './pages.ts';
import { agentsOf, courseOf, enrollmentOf, personOf } from './rows.ts';
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
        roster: (talk, courseIds, guardians) =>
          readRoster(asking(talk, credentials()), { root: credentials().root, courseIds, guardians }),
        // Client credentials belong to the school's own service, which ends them itself.
        giveBack: async () => {},
      },
    );
  },
};

const asking = (talk: Talk, credentials: RestCredentials): AskFor =>
  authorized(talk, async () => {
    const outcome = await fetchToken(talk, credentials);
    if ('token' in outcome) return outcome.token;
    throw new AccessRefused('grant_revoked', 'The provider gives these client credentials no token any more.');
  });

async function readCourses(ask: AskFor, root: string): Promise<Course[]> {
  const courses: Course[] = [];
  for await (const rows of pagesOf(ask, { root, collection: 'classes' })) courses.push(...rows.map(courseOf));
  return courses;
}

interface Wanted {
  readonly root: string;
  readonly courseIds: readonly string[];
  readonly guardians: boolean;
}

/** Whoever is enrolled in one of the classes, and whether the list of users has told of them. */
type Enrolled = Map<string, boolean>;

/** Enrollments first, and of all that is read only ids are held. */
async function* readRoster(ask: AskFor, { root, courseIds, guardians }: Wanted): AsyncGenerator<RosterRow> {
  const enrolled: Enrolled = new Map();
  const courses = new Set(courseIds);
  for await (const rows of pagesOf(ask, { root, collection: 'enrollments' })) {
    for (const row of rows.map(enrollmentOf)) {
      if (!row || !courses.has(row.courseExternalId ?? '')) continue;
      if (!guardians && row.role === 'guardian') continue;
      enrolled.set(personIdOf(row), false);
      yield row;
    }
  }
  const childrenOf: ChildrenOf = new Map();
  for await (const rows of pagesOf(ask, { root, collection: 'users' })) {
    for (const row of rows) {
      if (enrolled.get(row.sourcedId) !== false) continue;
      enrolled.set(row.sourcedId, true);
      if (guardians) noteAgents(childrenOf, row);
      const person = guardians ? personOf(row) : withoutGuardian(personOf(row));
      if (person) yield person;
    }
  }
  if (guardians) yield* readGuardians(ask, root, { enrolled, childrenOf });
}

/** Where guardians are not imported nobody is read as one: a teacher who is a parent too is a teacher. */
function withoutGuardian(row: PersonRow | FaultRow): PersonRow | FaultRow | undefined {
  if (row.kind === 'fault') return row.entity === 'guardian' ? undefined : row;
  const roles = row.roles.filter((role) => role !== 'guardian');
  return roles.length > 0 ? { ...row, roles } : undefined;
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
  root: string,
  { enrolled, childrenOf }: Known,
): AsyncGenerator<PersonRow | FaultRow> {
  const seen = new Set<string>();
  for await (const rows of pagesOf(ask, { root, collection: 'users' })) {
    for (const row of rows) {
      if (seen.has(row.sourcedId) || enrolled.get(row.sourcedId)) continue;
      const named = agentsOf(row).filter((id) => enrolled.has(id));
      const children = [...new Set([...named, ...[childrenOf.get(row.sourcedId) ?? []].flat()])];
      const person = personOf(row);
      const isGuardian = person.kind === 'person' ? person.roles.includes('guardian') : person.entity === 'guardian';
      if (!isGuardian || children.length === 0) continue;
      seen.add(row.sourcedId);
      yield person.kind === 'person' ? { ...person, childExternalIds: children } : person;
    }
  }
}
