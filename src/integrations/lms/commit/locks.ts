// Locks the rows that a commit compares and writes, in the order of all locks: accounts, classes, teachers, enrollments.

import type { Trx } from '#core/platform/db.ts';
import { lockingRows } from '#core/platform/locks.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { lockClasses } from '#identity/people/index.ts';
import type { LmsPreview } from '../preview/rows.ts';
import { lockedTeachings } from '../runs/teaching.ts';
import { effect, effectOf, isEnrollment, rowsOfPreview, updatesBaseline } from './effect.ts';

/** The rows of guardians with those of their children. */
const families = `
  select g.user_id as guardian_id, ${effectOf('g')} as guardian_effect,
    s.user_id as child_id, ${effectOf('s')} as child_effect
  from lms_preview_row g cross join lateral jsonb_array_elements_text(g.facts -> 'childExternalIds') as c (id)
  join lms_preview_row s on s.organization_id = :organizationId and s.preview_id = :previewId
    and s.person_external_id = c.id and s.entity = 'student'
  where g.organization_id = :organizationId and g.preview_id = :previewId and g.entity = 'guardian'`;

/**
 * People who may be part of a new link although their own row is not written: the guardians of written children, and the
 * children of written guardians.
 */
const relatives = `
  select case when f.child_effect = 'write' then f.guardian_id else f.child_id end from (${families}) f
  where (f.child_effect = 'write') <> (f.guardian_effect = 'write')`;

/** Looked up one by one, because the planner has no statistics of rows that were just stored. */
const accounts = `
  select count(*) from (select u.id from app_user u
    where u.organization_id = :organizationId and u.status <> 'deleted' and u.id = any(array(
      select r.user_id from ${rowsOfPreview} and r.user_id is not null
        and (${effect} in ('write', 'keep') or (r.facts -> 'isStale')::boolean)
      union ${relatives}))
    order by u.id ${lockingRows('account', 'change', 'u')}) locked`;

const classes = `
  select distinct c.id as class_id from lms_preview_row r
  cross join lateral (values ((r.facts ->> 'classId')::bigint), ((r.facts ->> 'localClassId')::bigint)) as c (id)
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isEnrollment} and ${updatesBaseline}
    and c.id is not null`;

const enrollments = `
  select count(*) from (select e.id from enrollment e
    where e.organization_id = :organizationId and e.enrolled_to is null and e.student_id = any(array(
      select r.user_id from ${rowsOfPreview} and ${isEnrollment} and ${effect} = 'write'
        and r.facts ->> 'role' = 'student' and r.user_id is not null))
    order by e.id ${lockingRows('enrollment', 'change', 'e')}) locked`;

/** Returns the grades of the classes that are not archived. */
export async function lockAll(trx: Trx, preview: LmsPreview): Promise<ReadonlyMap<number, number>> {
  const { organizationId, id: previewId } = preview;
  const key = { organizationId, previewId };
  await rowsOf(trx, accounts, key);
  const named = await rowsOf<{ classId: number }>(trx, classes, key);
  const ids = named.map(({ classId }) => classId);
  const grades = await lockClasses(trx, organizationId, ids);
  await rowsOf(trx, lockedTeachings, { organizationId, classIds: ids });
  await rowsOf(trx, enrollments, key);
  return grades;
}
