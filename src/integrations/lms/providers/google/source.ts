// Google Classroom as a source of rosters, with the rights of the administrator who has given consent.
import type { Services } from '#core/module/services.ts';
import type { LmsConnection } from '../../connections/rows.ts';
import type { HttpSession } from '../../http-client/http-client.ts';
import type { Course, EnrollmentRow, ProviderModel, RosterRow, UnreadCourse } from '../../provider.ts';
import { type AuthorizedGet, authorizedGet, jsonMember } from '../authorized.ts';
import { type GoogleCredentials, openCredentials } from '../credentials.ts';
import { AccessRefused } from '../faults.ts';
import { networkSource } from '../source.ts';
import { isRateLimited, pagesOf, refuseProjectFaults } from './pages.ts';
import { GooglePeople } from './people.ts';
import { courseOf, type GoogleProfile, googleProfileOf, idIn } from './rows.ts';
import { renewedToken, revokeGrant } from './token.ts';

export const classroomSource: ProviderModel = {
  provider: 'google_classroom',
  kind: 'oauth',
  open(services: Services, connection: LmsConnection) {
    const api = services.config.google.classroomUrl;
    const refreshToken = () => openCredentials<GoogleCredentials>(services.cipher, connection).refreshToken;
    const getOver = (session: HttpSession): AuthorizedGet =>
      authorizedGet(session, () => renewedToken(services, session, refreshToken()), {
        isRateLimited,
        refuse: refuseProjectFaults,
      });
    return networkSource(
      // The operator configures the address, not a tenant.
      { services, connection, sessionOptions: { isOperatorAddress: true } },
      {
        courses: (session) => readCourses(getOver(session), api),
        roster: (session, courseIds, { guardians }) => readRoster(getOver(session), { api, courseIds, guardians }),
        revokeAccess: async (session) => revokeGrant(services, session, refreshToken()),
      },
    );
  },
};

const courseList = (api: string) => ({
  api,
  path: '/v1/courses',
  member: 'courses',
  query: { courseStates: 'ACTIVE' },
});

async function readCourses(get: AuthorizedGet, api: string): Promise<Course[]> {
  const courses: Course[] = [];
  for await (const rows of pagesOf(get, courseList(api))) courses.push(...rows.map(courseOf));
  return courses;
}

interface RosterQuery {
  readonly api: string;
  readonly courseIds: readonly string[];
  readonly guardians: boolean;
}

/** Yields one row for a course that has gone. The people and the current course are held in memory. */
async function* readRoster(get: AuthorizedGet, { api, courseIds, guardians }: RosterQuery): AsyncGenerator<RosterRow> {
  const people = new GooglePeople();
  for (const courseExternalId of courseIds) {
    const members = await allowedMembersOf(get, api, courseExternalId);
    if (typeof members === 'string') yield { kind: members, courseExternalId };
    for (const { externalId, role, profile } of typeof members === 'string' ? [] : members) {
      people.add(externalId, role, profile);
      yield enrollmentOf(courseExternalId, externalId, role);
    }
  }
  if (guardians) await addGuardians(get, api, people);
  yield* people.rows();
}

interface Member {
  readonly externalId: string;
  readonly role: 'student' | 'teacher';
  readonly profile: GoogleProfile;
}

/** Returns `course_forbidden` when only this course is forbidden. Throws what the list of courses throws when that is too. */
async function allowedMembersOf(
  get: AuthorizedGet,
  api: string,
  courseId: string,
): Promise<readonly Member[] | UnreadCourse> {
  try {
    return (await membersOf(get, api, courseId)) ?? 'course_gone';
  } catch (error) {
    if (!(error instanceof AccessRefused) || error.error !== 'provider_forbidden') throw error;
    await pagesOf(get, courseList(api)).next();
    return 'course_forbidden';
  }
}

async function membersOf(get: AuthorizedGet, api: string, courseId: string): Promise<readonly Member[] | undefined> {
  const members: Member[] = [];
  for (const [member, role] of [['students', 'student'] as const, ['teachers', 'teacher'] as const]) {
    const pages = pagesOf(get, { api, path: `/v1/courses/${encodeURIComponent(courseId)}/${member}`, member });
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) {
      for (const row of page.value) {
        members.push({ externalId: idIn(row, 'userId'), role, profile: googleProfileOf(jsonMember(row, 'profile')) });
      }
    }
    if (!page.value) return undefined;
  }
  return members;
}

const enrollmentOf = (
  courseExternalId: string,
  personExternalId: string,
  role: 'student' | 'teacher',
): EnrollmentRow => ({
  kind: 'enrollment',
  courseExternalId,
  personExternalId,
  role,
  primary: false,
  from: null,
  to: null,
  active: true,
});

/** In the path, `-` stands for all students whose guardians the administrator may see. */
async function addGuardians(get: AuthorizedGet, api: string, people: GooglePeople): Promise<void> {
  for await (const rows of pagesOf(get, { api, path: '/v1/userProfiles/-/guardians', member: 'guardians' })) {
    for (const row of rows) {
      const child = idIn(row, 'studentId');
      if (people.isStudent(child))
        people.add(idIn(row, 'guardianId'), 'guardian', googleProfileOf(jsonMember(row, 'guardianProfile')), child);
    }
  }
}
