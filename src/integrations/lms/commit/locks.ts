// Selects what a commit compares and writes, and locks it.
import type { Trx } from '#core/platform/db.ts';
import { lockRoster } from '../lock-roster.ts';
import type { LmsPreview } from '../preview/rows.ts';
import { effect, isEnrollment, rowEffectSql, rowsOfPreview, updatesBaseline } from './effect.ts';

/** The rows of guardians with those of their children. */
const families = `
  select g.user_id as guardian_id, ${rowEffectSql('g')} as guardian_effect,
    s.user_id as child_id, ${rowEffectSql('s')} as child_effect
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

const accounts = `
  select r.user_id from ${rowsOfPreview} and r.user_id is not null
    and (${effect} in ('write', 'keep') or (r.facts -> 'isStale')::boolean)
  union ${relatives}`;

const classes = `
  select distinct c.id from lms_preview_row r
  cross join lateral (values ((r.facts ->> 'classId')::bigint), ((r.facts ->> 'localClassId')::bigint)) as c (id)
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isEnrollment} and ${updatesBaseline}
    and c.id is not null`;

const students = `
  select r.user_id from ${rowsOfPreview} and ${isEnrollment} and ${effect} = 'write'
    and r.facts ->> 'role' = 'student' and r.user_id is not null`;

/** Returns grade and school year of the classes that are not archived. */
export const lockForCommit = (
  trx: Trx,
  { organizationId, id: previewId }: LmsPreview,
): Promise<ReadonlyMap<number, string>> =>
  lockRoster(trx, { organizationId, previewId }, { accounts, classes, students });
