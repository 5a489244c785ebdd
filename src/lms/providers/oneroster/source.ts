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

/** People before enrollments, as the interface says; of all lists only what concerns these classes is kept. */
async function* readRoster(ask: AskFor, { root, courseIds, guardians }: Wanted): AsyncGenerator<RosterRow> {
  const read = await enrollmentsOf(ask, root, new Set(courseIds));
  const enrollments = guardians ? read : read.filter((row) => row.kind === 'fault' || row.role !== 'guardian');
  const people = new Set(enrollments.map(personIdOf));
  const told = new Set<string>();
  const childrenOf = new Map<string, Set<string>>();
  for await (const rows of pagesOf(ask, { root, collection: 'users' })) {
    for (const row of rows) {
      if (!people.has(row.sourcedId) || told.has(row.sourcedId)) continue;
      told.add(row.sourcedId);
      if (guardians) noteAgents(childrenOf, row);
      const person = guardians ? personOf(row) : withoutGuardian(personOf(row));
      if (person) yield person;
    }
  }
  if (guardians) yield* readGuardians(ask, root, { people, told, childrenOf });
  yield* enrollments;
}

/** Where guardians are not imported nobody is read as one: a teacher who is a parent too is a teacher. */
function withoutGuardian(row: PersonRow | FaultRow): PersonRow | FaultRow | undefined {
  if (row.kind === 'fault') return row.entity === 'guardian' ? undefined : row;
  const roles = row.roles.filter((role) => role !== 'guardian');
  return roles.length > 0 ? { ...row, roles } : undefined;
}

const personIdOf = (row: EnrollmentRow | FaultRow) => (row.kind === 'fault' ? row.externalId : row.personExternalId);

async function enrollmentsOf(ask: AskFor, root: string, courseIds: ReadonlySet<string>) {
  const found: (EnrollmentRow | FaultRow)[] = [];
  for await (const rows of pagesOf(ask, { root, collection: 'enrollments' })) {
    for (const enrollment of rows.map(enrollmentOf)) {
      if (enrollment && courseIds.has(enrollment.courseExternalId ?? '')) found.push(enrollment);
    }
  }
  return found;
}

/** Students name their guardians, or guardians their children, or both. */
function noteAgents(childrenOf: Map<string, Set<string>>, student: OneRosterRow): void {
  for (const agent of agentsOf(student)) {
    const children = childrenOf.get(agent) ?? new Set();
    childrenOf.set(agent, children.add(student.sourcedId));
  }
}

interface Known {
  readonly people: ReadonlySet<string>;
  readonly told: ReadonlySet<string>;
  readonly childrenOf: ReadonlyMap<string, ReadonlySet<string>>;
}

async function* readGuardians(
  ask: AskFor,
  root: string,
  { people, told, childrenOf }: Known,
): AsyncGenerator<PersonRow | FaultRow> {
  const seen = new Set(told);
  for await (const rows of pagesOf(ask, { root, collection: 'users' })) {
    for (const row of rows) {
      if (seen.has(row.sourcedId)) continue;
      const named = agentsOf(row).filter((id) => people.has(id));
      const children = [...new Set([...named, ...(childrenOf.get(row.sourcedId) ?? [])])];
      const person = personOf(row);
      const isGuardian = person.kind === 'person' ? person.roles.includes('guardian') : person.entity === 'guardian';
      if (!isGuardian || children.length === 0) continue;
      seen.add(row.sourcedId);
      yield person.kind === 'person' ? { ...person, childExternalIds: children } : person;
    }
  }
}
