// Locks the rows that a revert compares and writes, in the order of all locks: accounts, classes, teachers, enrollments.

import type { Trx } from '#core/platform/db.ts';
import { lockingRows } from '#core/platform/locks.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { lockClasses } from '#identity/people/index.ts';
import { ofRun } from './changes.ts';
import type { LmsSyncRun } from './rows.ts';
import { lockedTeachings } from './teaching.ts';

/** Looked up one by one, because the planner has no statistics of rows that were just stored. */
const accounts = `
  select count(*) from (select u.id from app_user u
    where u.organization_id = :organizationId and u.status <> 'deleted'
      and u.id = any(array(select c.user_id from lms_change c where ${ofRun}))
    order by u.id ${lockingRows('account', 'change', 'u')}) locked`;

const classes = `
  select distinct k.id as class_id from lms_change c
  cross join lateral (values ((c.before ->> 'classId')::bigint), ((c.after ->> 'classId')::bigint)) as k (id)
  where ${ofRun} and k.id is not null`;

const enrollments = `
  select count(*) from (select e.id from enrollment e
    where e.organization_id = :organizationId and e.enrolled_to is null
      and e.student_id = any(array(
        select c.user_id from lms_change c where ${ofRun} and c.after ->> 'role' = 'student'))
    order by e.id ${lockingRows('enrollment', 'change', 'e')}) locked`;

/** Returns the grades of the classes that are not archived. */
export async function lockAll(
  trx: Trx,
  { organizationId, id: runId }: LmsSyncRun,
): Promise<ReadonlyMap<number, number>> {
  const key = { organizationId, runId };
  await rowsOf(trx, accounts, key);
  const named = await rowsOf<{ classId: number }>(trx, classes, key);
  const ids = named.map(({ classId }) => classId);
  const grades = await lockClasses(trx, organizationId, ids);
  await rowsOf(trx, lockedTeachings, { organizationId, classIds: ids });
  await rowsOf(trx, enrollments, key);
  return grades;
}
