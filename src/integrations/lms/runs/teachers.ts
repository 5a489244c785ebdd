// Who taught before a commit teaches again, at the former place, and who led a class leads it; who came goes.
import { detachTeachers, leadClasses, returnTeachers } from '#identity/people/index.ts';
import type { StoredChange, Teaching } from './changes.ts';
import type { Reverting } from './revert.ts';

interface TeacherChange {
  readonly teacherUserId: number;
  readonly classId: number;
  readonly before: Teaching;
}

const teachersOf = (enrollments: readonly StoredChange[]): TeacherChange[] =>
  enrollments.flatMap(({ userId: teacherUserId, before, after }) => {
    const classId = before.classId ?? after.classId;
    return before.teaching && classId ? [{ teacherUserId, classId, before: before.teaching }] : [];
  });

export async function bringTeachersBack({ trx, run }: Reverting, enrollments: readonly StoredChange[]): Promise<void> {
  const back = teachersOf(enrollments).flatMap(({ teacherUserId, classId, before: { own } }) =>
    own ? [{ teacherUserId, classId, position: own.position }] : [],
  );
  await returnTeachers(trx, run.organizationId, back);
}

/** All rows of a class say who led it. */
export async function letThemLead({ trx, run }: Reverting, enrollments: readonly StoredChange[]): Promise<void> {
  const leaders = new Map(teachersOf(enrollments).map(({ classId, before: { leader } }) => [classId, leader]));
  await leadClasses(
    trx,
    run.organizationId,
    [...leaders].flatMap(([classId, teacherUserId]) => (teacherUserId === null ? [] : [{ classId, teacherUserId }])),
  );
}

export async function takeTeachersAway({ trx, run }: Reverting, enrollments: readonly StoredChange[]): Promise<void> {
  const gone = teachersOf(enrollments).filter(({ before: { own } }) => own === null);
  await detachTeachers(trx, run.organizationId, gone);
}
