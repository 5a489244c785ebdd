// Checks the students in a teacher's request: they exist, are in the caller's reach, and are in the class of the lesson.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { denied, invalid, notFound } from '#core/platform/errors.ts';
import { findNamedStudents, mergedRefusal } from '#identity/people/index.ts';
import type { LiveLessonRow } from './rows/live-lesson.ts';

export interface StudentField {
  readonly studentId: number;
  /** The path in the body, such as `seats.3.studentId`. */
  readonly field: string;
}

/**
 * Throws NOT_FOUND, PERMISSION_DENIED, CONFLICT `merged` and VALIDATION_ERROR `not_in_class`, in this order. It runs one
 * statement.
 */
export async function requireMembers(
  { trx, actor }: { readonly trx: Trx; readonly actor: Actor },
  { organizationId, classId }: Pick<LiveLessonRow, 'organizationId' | 'classId'>,
  named: readonly StudentField[],
): Promise<void> {
  const teacher = { organizationId, userId: actor.userId };
  const found = await findNamedStudents(
    trx,
    teacher,
    named.map(({ studentId }) => studentId),
  );
  if (found.some(({ isKnown }) => !isKnown)) throw notFound();
  if (found.some(({ isReached }) => !isReached)) throw denied('This is outside the classes that you teach.');
  const merged = found.findIndex(({ isMerged }) => isMerged);
  if (merged !== -1) throw mergedRefusal(named[merged]?.field);
  const outside = found.findIndex((one) => one.classId !== classId);
  if (outside !== -1) throw invalid(named[outside]?.field ?? '', 'not_in_class');
}
