// Google Classroom as a source of rosters, read as the administrator who has agreed sees it.
import type { Services } from '#core/module/services.ts';
import type { LmsConnection } from '../../connections/rows.ts';
import type { Course, EnrollmentRow, ProviderModel, RosterRow, UnreadCourse } from '../../provider.ts';
import type { Talk } from '../../reaching/reach.ts';
import { type AskFor, authorized, memberOf } from '../authorized.ts';
import { type GoogleCredentials, openCredentials } from '../credentials.ts';
import { AccessRefused } from '../faults.ts';
import { networkSource } from '../source.ts';
import { asksTooOften, pagesOf, refuseProjectFaults } from './pages.ts';
import { People } from './people.ts';
import { courseOf, idIn, type Profile, profileOf } from './rows.ts';
import { giveBackGrant, renewedToken } from './token.ts';

export const classroomSource: ProviderModel = {
  provider: 'google_classroom',
  kind: 'oauth',
  open(services: Services, connection: LmsConnection) {
    const api = services.config.google.classroomUrl;
    const refreshToken = () => openCredentials<GoogleCredentials>(services.cipher, connection).refreshToken;
    const asking = (talk: Talk): AskFor =>
      authorized(talk, () => renewedToken(services, talk, refreshToken()), {
        ...{ limited: asksTooOften, refuse: refuseProjectFaults },
      });
    return networkSource(
      // The operator has named the address, not a tenant.
      { services, connection, talkOptions: { operatorsOwn: true } },
      {
        courses: (talk) => readCourses(asking(talk), api),
        roster: (talk, courseIds, { guardians }) => readRoster(asking(talk), { api, courseIds, guardians }),
        giveBack: async (talk) => giveBackGrant(services, talk, refreshToken()),
      },
    );
  },
};

const courseList = (api: string) => ({
  ...{ api, path: '/v1/courses', member: 'courses', query: { courseStates: 'ACTIVE' } },
});

async function readCourses(ask: AskFor, api: string): Promise<Course[]> {
  const courses: Course[] = [];
  for await (const rows of pagesOf(ask, courseList(api))) courses.push(...rows.map(courseOf));
  return courses;
}

interface Wanted {
  readonly api: string;
  readonly courseIds: readonly string[];
  readonly guardians: boolean;
}

/** Of a course that is not there any more nothing is said but that. Held are people and one course. */
async function* readRoster(ask: AskFor, { api, courseIds, guardians }: Wanted): AsyncGenerator<RosterRow> {
  const people = new People();
  for (const courseExternalId of courseIds) {
    const members = await allowedMembersOf(ask, api, courseExternalId);
    if (typeof members === 'string') yield { kind: members, courseExternalId };
    for (const { externalId, role, profile } of typeof members === 'string' ? [] : members) {
      people.add(externalId, role, profile);
      yield enrollmentOf(courseExternalId, externalId, role);
    }
  }
  if (guardians) await addGuardians(ask, api, people);
  yield* people.rows();
}

interface Member {
  readonly externalId: string;
  readonly role: 'student' | 'teacher';
  readonly profile: Profile;
}

/** A course is forbidden where it alone is: the list of courses still answers. Throws what that throws otherwise. */
async function allowedMembersOf(ask: AskFor, api: string, courseId: string): Promise<readonly Member[] | UnreadCourse> {
  try {
    return (await membersOf(ask, api, courseId)) ?? 'course_gone';
  } catch (error) {
    if (!(error instanceof AccessRefused) || error.error !== 'provider_forbidden') throw error;
    await pagesOf(ask, courseList(api)).next();
    return 'course_forbidden';
  }
}

async function membersOf(ask: AskFor, api: string, courseId: string): Promise<readonly Member[] | undefined> {
  const members: Member[] = [];
  for (const [member, role] of [['students', 'student'] as const, ['teachers', 'teacher'] as const]) {
    const pages = pagesOf(ask, { api, path: `/v1/courses/${encodeURIComponent(courseId)}/${member}`, member });
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) {
      for (const row of page.value) {
        members.push({ externalId: idIn(row, 'userId'), role, profile: profileOf(memberOf(row, 'profile')) });
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
  ...{ kind: 'enrollment', courseExternalId, personExternalId, role },
  ...{ primary: false, from: null, to: null, active: true },
});

/** `-` stands for all students whose guardians the administrator may see. */
async function addGuardians(ask: AskFor, api: string, people: People): Promise<void> {
  for await (const rows of pagesOf(ask, { api, path: '/v1/userProfiles/-/guardians', member: 'guardians' })) {
    for (const row of rows) {
      const child = idIn(row, 'studentId');
      if (people.isStudent(child))
        people.add(idIn(row, 'guardianId'), 'guardian', profileOf(memberOf(row, 'guardianProfile')), child);
    }
  }
}
