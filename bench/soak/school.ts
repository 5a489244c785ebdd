// The schools of the soak and their people, each with a session.

import { recomputeStudents } from '../../src/assessment/skill-status/recompute/recompute.ts';
import { inContext } from '../../src/core/platform/db.ts';
import { openSession } from '../../src/identity/people/auth-sessions/auth-sessions.ts';
import { buildClass, buildParent, buildPrincipal, buildTeacher, buildUser } from '../../tests/harness/factories.ts';
import { password, passwordHash } from '../../tests/harness/passwords.ts';
import { buildLive } from '../../tests/teaching/live-lessons/rows.ts';
import { buildSchool, insertStudents } from '../harness/school.ts';
import type { Service } from '../harness/service.ts';

const studentsOfClass = 25;
const testedOfSchool = 40;
const parentsOfSchool = 8;
/** Several teachers, because one does not send ten requests at once; the first one is of `buildSchool`. */
const teachersOfSchool = 8;

export interface Person {
  readonly id: number;
  readonly email: string | null;
  readonly organizationId: string;
  token: string;
  refreshToken: string;
  isRefreshing: boolean;
}

export interface SoakSchool {
  readonly organizationId: string;
  readonly schoolId: string;
  readonly classId: number;
  readonly studentIds: readonly number[];
  readonly liveSessionId: string;
  readonly teachers: readonly Person[];
  readonly principal: Person;
  readonly parents: readonly (Person & { readonly childId: string })[];
  /** The students of the live class except one. */
  readonly students: readonly Person[];
  /** The student of that class whom hostile clients impersonate. */
  readonly hostileStudent: Person;
  /** Students without evidence, for diagnostics. */
  readonly tested: readonly Person[];
}

export const soakPassword = password;

/** Creates a session without hashing a password. */
export async function sessionOf(
  { services }: Service,
  { id, organizationId }: { readonly id: number; readonly organizationId: string | null },
) {
  const { db, tokens, clock } = services;
  return inContext(db, 'SUPER', (trx) => openSession(trx, tokens, { id, organizationId }, clock.now()));
}

async function personOf(
  service: Service,
  row: { readonly id: number; readonly email?: string | null; readonly organizationId: string | null },
): Promise<Person> {
  const { accessToken, refreshToken } = await sessionOf(service, row);
  const organizationId = row.organizationId ?? '';
  return {
    id: row.id,
    email: row.email ?? null,
    organizationId,
    token: accessToken,
    refreshToken,
    isRefreshing: false,
  };
}

export async function buildSoakSchool(service: Service): Promise<SoakSchool> {
  const { owner, services } = service;
  const { organizationId, classRow, teacher, studentIds } = await buildSchool(service, studentsOfClass, true);
  await recomputeStudents(services, organizationId, studentIds);
  const principal = await buildPrincipal(owner, { id: classRow.schoolId, organizationId });
  const parents = await Promise.all(
    studentIds.slice(0, parentsOfSchool).map(async (id) => {
      const child = { id, organizationId, primaryPersona: 'STUDENT', scope: 'ORGANIZATION', email: null } as const;
      const parent = await buildParent(owner, child);
      return { ...(await personOf(service, parent)), childId: parent.childId };
    }),
  );
  const teachers = [await personOf(service, teacher)];
  while (teachers.length < teachersOfSchool)
    teachers.push(await personOf(service, await buildTeacher(owner, classRow, 'SECONDARY')));
  const other = await buildClass(owner, { organizationId, schoolId: classRow.schoolId, grade: 2, name: '2B' });
  await buildTeacher(owner, other);
  const testedIds = await insertStudents(owner, other, testedOfSchool);
  const live = await buildLive(owner, classRow, { state: 'live', joined: studentIds, createdAt: new Date() });
  await owner('app_user')
    .where({ organizationId })
    .whereNotNull('email')
    .update({ passwordHash: await passwordHash() });
  const student = (id: number) => personOf(service, { id, organizationId });
  const [lastId = 0] = studentIds.slice(-1);
  return {
    organizationId,
    schoolId: classRow.schoolId,
    classId: classRow.id,
    studentIds,
    liveSessionId: live.id,
    teachers,
    principal: await personOf(service, principal),
    parents,
    students: await Promise.all(studentIds.slice(0, -1).map(student)),
    hostileStudent: await student(lastId),
    tested: await Promise.all(testedIds.map(student)),
  };
}

/** The accounts of hostile clients, in the first school, whose people they would affect most. */
export async function buildHostile(service: Service, { organizationId, classId }: SoakSchool) {
  const { owner } = service;
  const [first, second] = [
    await buildUser(owner, 'ADMIN', { organizationId }),
    await buildUser(owner, 'ADMIN', { organizationId }),
  ];
  const teacher = await buildUser(owner, 'TEACHER', { organizationId });
  await owner('class_teacher').insert({ organizationId, classId, teacherUserId: teacher.id, role: 'SECONDARY' });
  return { reader: first, uploader: second, teacher };
}
