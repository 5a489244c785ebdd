// The students whom a teacher's body names: of the organization, within the caller's reach, and in the class of the session.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { denied, invalid, notFound } from '#core/platform/errors.ts';
import { findNamedStudents } from '#identity/people/index.ts';
import type { LiveSessionRow } from './rows/session.ts';

export interface NamedStudent {
  readonly studentId: number;
  /** Where the body names it, as `seats.3.studentId`. */
  readonly field: string;
}

/** One statement. NOT_FOUND goes before PERMISSION_DENIED, and that before VALIDATION_ERROR `not_in_class`. */
export async function requireMembers(
  { trx, actor }: { readonly trx: Trx; readonly actor: Actor },
  { organizationId, classId }: Pick<LiveSessionRow, 'organizationId' | 'classId'>,
  named: readonly NamedStudent[],
): Promise<void> {
  const teacher = { organizationId, userId: actor.userId };
  const found = await findNamedStudents(
    trx,
    teacher,
    named.map(({ studentId }) => studentId),
  );
  if (found.some(({ isKnown }) => !isKnown)) throw notFound();
  if (found.some(({ isReached }) => !isReached)) throw denied('This is outside the classes that you teach.');
  const stranger = found.findIndex((one) => one.classId !== classId);
  if (stranger !== -1) throw invalid(named[stranger]?.field ?? '', 'not_in_class');
}
