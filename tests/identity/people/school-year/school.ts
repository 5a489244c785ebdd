// A school at the end of a school year, for tests of roll-overs: 2025-2026 has passed, it is September 2026.
import {
  buildClass,
  buildOrganization,
  buildSchool,
  buildStudent,
  buildTeacher,
  buildUser,
  type ClassRow,
  type Insert,
  type SchoolRow,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import type { Reply } from '../../../harness/fetch.ts';
import type { TestApp } from '../../../harness/http.ts';

export const september = '2026-09-01T06:00:00.000Z';

export interface RolledClassView {
  readonly fromClassId: number;
  readonly toClassId: number | null;
  readonly isNew: boolean;
  readonly name: string;
  readonly grade: number;
  readonly students: number;
}

export interface RollOverView {
  readonly rollOverId: number | null;
  readonly classes: readonly RolledClassView[];
  readonly leaving: number;
  readonly repeating: readonly number[];
  readonly already: number;
}

export interface Refusal {
  readonly code: string;
  readonly details: readonly { readonly field: string; readonly issue: string }[];
}

export interface RollingSchool {
  readonly organizationId: string;
  readonly school: SchoolRow;
  readonly admin: UserRow;
  classOf(grade: number, name?: string, more?: Insert): Promise<ClassRow>;
  student(home: ClassRow): Promise<UserRow>;
  teacher(home: ClassRow, role?: 'PRIMARY' | 'SECONDARY'): Promise<UserRow>;
  rollOver<Body = RollOverView>(body?: object): Promise<Reply<Body>>;
  undo<Body = Refusal>(rollOverId: number | null): Promise<Reply<Body>>;
  detail(): Promise<SchoolDetailView>;
  enroll(home: { readonly id: number }, students: readonly UserRow[]): Promise<Reply>;
  /** Class and first day of the open enrollment; undefined for a student who left. */
  placeOf(student: UserRow): Promise<{ readonly classId: number; readonly enrolledFrom: string } | undefined>;
}

export interface SchoolDetailView {
  readonly betweenClasses: number;
  readonly lastRollOver: { readonly rollOverId: number; readonly undoneAt: string | null } | null;
}

/** The factories' classes are of 2025-2026. */
export async function rollingSchool(app: TestApp, organization: Insert = {}): Promise<RollingSchool> {
  const { owner } = app.database;
  const organizationId = (await buildOrganization(owner, organization)).id;
  const school = await buildSchool(owner, { organizationId });
  const admin = await buildUser(owner, 'ADMIN', { organizationId });
  const asAdmin = async () => ({ token: await signIn(app, admin) });
  return {
    ...{ organizationId, school, admin },
    classOf: (grade, name = `${grade}A`, more = {}) =>
      buildClass(owner, { organizationId, schoolId: school.id, grade, name, ...more }),
    student: (home) => buildStudent(owner, home),
    teacher: (home, role) => buildTeacher(owner, home, role),
    rollOver: async (body = {}) =>
      app.post(`/api/schools/${school.id}/roll-over`, { fromYear: '2025-2026', ...body }, await asAdmin()),
    undo: async (id) => app.post(`/api/school-roll-overs/${id}/undo`, {}, await asAdmin()),
    detail: async () => (await app.get<SchoolDetailView>(`/api/schools/${school.id}`, await asAdmin())).body,
    enroll: async (home, students) =>
      app.post(`/api/classes/${home.id}/students`, { studentIds: students.map(({ id }) => id) }, await asAdmin()),
    placeOf: async ({ id: studentId }) =>
      owner('enrollment').where({ organizationId, studentId, enrolledTo: null }).first('classId', 'enrolledFrom'),
  };
}
