// Locks what a commit or a revert compares and writes, in the order of all locks: accounts, classes, teachers, enrollments.
import type { Trx } from '#core/platform/db.ts';
import { lockingRows } from '#core/platform/locks.ts';
import { type Bindings, rowsOf } from '#core/platform/sql.ts';
import { lockClasses } from '#identity/people/index.ts';

/** Subqueries of the ids to lock. */
interface LockedIds {
  readonly accounts: string;
  readonly classes: string;
  /** The students whose current enrollments are locked. */
  readonly students: string;
}

/** Looked up one by one, because the planner has no statistics of rows that were just stored. */
const lockAccounts = (ids: string) => `
  select count(*) from (select u.id from app_user u
    where u.organization_id = :organizationId and u.status <> 'deleted' and u.id = any(array(${ids}))
    order by u.id ${lockingRows('account', 'change', 'u')}) locked`;

const lockTeachers = `
  select count(*) from (select t.class_id from class_teacher t
    where t.organization_id = :organizationId and t.class_id = any(:classIds::bigint[])
    order by t.class_id, t.teacher_user_id ${lockingRows('teaching', 'change', 't')}) locked`;

const lockEnrollments = (studentIds: string) => `
  select count(*) from (select e.id from enrollment e
    where e.organization_id = :organizationId and e.enrolled_to is null and e.student_id = any(array(${studentIds}))
    order by e.id ${lockingRows('enrollment', 'change', 'e')}) locked`;

/** Returns grade and school year of the classes that are not archived. `key`: the bindings of the subqueries. */
export async function lockRoster(
  trx: Trx,
  key: Bindings & { readonly organizationId: string },
  { accounts, classes, students }: LockedIds,
): Promise<ReadonlyMap<number, string>> {
  const { organizationId } = key;
  await rowsOf(trx, lockAccounts(accounts), key);
  const rows = await rowsOf<{ id: number }>(trx, classes, key);
  const classIds = rows.map(({ id }) => id);
  const grades = await lockClasses(trx, organizationId, classIds);
  await rowsOf(trx, lockTeachers, { organizationId, classIds });
  await rowsOf(trx, lockEnrollments(students), key);
  return grades;
}
