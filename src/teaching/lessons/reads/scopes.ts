// Scopes of lessons: a caller reaches a lesson through its class.
import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { type ClassInScope, findClassInReach, staff, teachersAndAdmins } from '#identity/people/index.ts';
import { LessonRow } from '../rows/store.ts';

export interface ReachedLesson {
  readonly lesson: LessonRow;
  readonly classRow: ClassInScope;
}

type AllowedPersonas = Parameters<typeof findClassInReach>[2];

const scopeFor = (reach: string, allowed: AllowedPersonas): AppScope<ReachedLesson> => ({
  reach,
  resolve: async ({ trx, actor, params: { id = '' } }) => {
    const ofClass = LessonRow.query(trx).where({ id }).select('classId').toKnexQuery();
    const [lesson, { row: classRow, organization }] = await Promise.all([
      LessonRow.query(trx).findOne({ id }),
      findClassInReach({ trx, actor }, ofClass, allowed),
    ]);
    if (!lesson) throw notFound();
    return { row: { lesson, classRow }, ...(organization && { organization }) };
  },
});

export const lessonInReach = scopeFor('C', staff);
export const lessonToChange = scopeFor('C (ClassTeacher, admin)', teachersAndAdmins);
/** Offline answers come from the teacher's device. */
export const lessonOfTeacher = scopeFor('T', ['TEACHER']);
