// The class and students named by a body, within the reach of the caller: a class that the caller teaches, and students of it.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { findNamedStudents, mergedRefusal } from '#identity/people/index.ts';
import type { ClassKey } from './class-groups.ts';

interface Named {
  readonly confirmedMemberStudentIds: readonly number[];
  /** Default: the class of the first student. */
  readonly classId?: number | undefined;
}

interface Reached {
  readonly isKnown: boolean;
  /** The class of the student's open enrollment; null between classes. */
  readonly classId: number | null;
  readonly isReached: boolean;
}

/**
 * Throws NOT_FOUND when one of them is not in the organization, PERMISSION_DENIED when one is out of reach, and CONFLICT
 * `merged` for an account that was merged into another one.
 */
export async function reachedClass(
  { trx, actor }: { readonly trx: Trx; readonly actor: Actor },
  { confirmedMemberStudentIds, classId }: Named,
): Promise<ClassKey> {
  const { organizationId, userId } = actor;
  if (organizationId === null) throw denied();
  const caller = { organizationId, userId };
  const students = await findNamedStudents(trx, caller, confirmedMemberStudentIds);
  const named = classId === undefined ? [] : await classReached(trx, caller, classId);
  const all = [...named, ...students];
  if (all.some(({ isKnown }) => !isKnown)) throw notFound();
  const id = classId ?? students[0]?.classId;
  if (typeof id !== 'number' || all.some(({ isReached }) => !isReached)) {
    throw denied('This is outside the classes that you teach.');
  }
  if (students.some(({ isMerged }) => isMerged)) throw mergedRefusal('confirmedMemberStudentIds');
  return { id, organizationId };
}

interface Caller {
  readonly organizationId: string;
  readonly userId: number;
}

const classReached = (trx: Trx, caller: Caller, classId: number): Promise<Reached[]> =>
  rowsOf(
    trx,
    `select c.id is not null as is_known, c.id as class_id, t.class_id is not null as is_reached
     from (values (:classId::bigint)) as n (class_id)
     left join class c on c.organization_id = :organizationId and c.id = n.class_id
     left join class_teacher t on t.organization_id = :organizationId and t.class_id = c.id
       and t.teacher_user_id = :userId`,
    { ...caller, classId },
  );
