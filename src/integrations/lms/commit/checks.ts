// Checks that prevent a commit: open conflicts, and rows whose accounts or classes have changed since the preview was built.
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type Identity, identityElsewhere, isAddressElsewhere } from '../cross-organization.ts';
import { identityOf } from '../enums.ts';
import type { LmsPreview } from '../preview/rows.ts';
import { effect, isEnrollment, isPerson, rowsOfPreview, withoutEmail } from './effect.ts';

export const maxCommitDetails = 100;

interface Key {
  readonly organizationId: string;
  readonly previewId: string;
}

/** Throws VALIDATION_ERROR with `rows.<rowId>` and the reason of each row. */
export async function refuseOpenConflicts(trx: Trx, key: Key): Promise<void> {
  const open = await rowsOf<{ id: string; reasonCode: string }>(
    trx,
    `select r.id, r.reason_code from ${rowsOfPreview} and ${effect} = 'open' order by r.position limit ${maxCommitDetails}`,
    { ...key },
  );
  if (open.length === 0) return;
  throw new AppError('VALIDATION_ERROR', 'Some rows are in conflict. Resolve each of them, then commit again.', {
    details: open.map(({ id, reasonCode }) => ({ field: `rows.${id}`, issue: reasonCode })),
  });
}

/** Another organization may have got the address or identity in the meantime. */
const isTakenElsewhere = (identity: Identity) => `(${identityElsewhere[identity]('r.person_external_id')}
  or (not (${withoutEmail}) and ${isAddressElsewhere("r.facts ->> 'email'")}))`;

const driftedPeople = (identity: Identity) => `
  select r.id, r.position from lms_preview_row r
  left join app_user u on u.organization_id = :organizationId and u.id = r.user_id
  left join lateral (select subject, user_id from external_identity where organization_id = :organizationId
    and provider = '${identity}' and subject = r.person_external_id offset 0) i on true
  left join sign_in_name n on n.organization_id = :organizationId and n.email = r.facts ->> 'email' and not (${withoutEmail})
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isPerson} and ${effect} = 'write'
    and (${isTakenElsewhere(identity)} or case when r.user_id is null then i.subject is not null or n.email is not null
      else u.id is null
        or jsonb_build_array(u.full_name_ar, u.email, u.status, u.primary_persona) is distinct from jsonb_build_array(
          r.facts -> 'seen' -> 'fullNameAr', r.facts -> 'seen' -> 'email', r.facts -> 'seen' -> 'status',
          r.facts -> 'seen' -> 'persona')
        or i.user_id <> r.user_id
        or n.user_id <> r.user_id end)`;

const driftedEnrollments = `
  select r.id, r.position from lms_preview_row r
  left join class k on k.organization_id = :organizationId and k.id = (r.facts ->> 'classId')::bigint
  left join lateral (select class_id from lms_mapping where organization_id = :organizationId and provider = :provider
    and course_external_id = r.facts ->> 'courseExternalId' offset 0) m on true
  left join enrollment e on r.facts ->> 'role' = 'student' and e.organization_id = :organizationId
    and e.student_id = r.user_id and e.enrolled_to is null
  left join class_teacher t on r.facts ->> 'role' = 'teacher' and t.organization_id = :organizationId
    and t.teacher_user_id = r.user_id
    and t.class_id = coalesce((r.facts ->> 'localClassId')::bigint, (r.facts ->> 'classId')::bigint)
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isEnrollment} and ${effect} = 'write'
    and (((r.facts -> 'isOpen')::boolean and (k.id is null or k.archived_at is not null
        or k.grade <> (r.facts ->> 'classGrade')::integer or m.class_id is distinct from k.id))
      or coalesce(e.class_id, t.class_id) is distinct from (r.facts ->> 'localClassId')::bigint)`;

/** Rows of an account that was merged into another one since the preview was built. The few merged accounts are read once. */
const mergedSince = `
  select r.id, r.position from lms_preview_row r
  where r.organization_id = :organizationId and r.preview_id = :previewId and r.user_id = any (array(
    select u.id from app_user u where u.organization_id = :organizationId and u.merged_into_id is not null))`;

/** Returns the ids of the rows in order. */
export async function driftedRows(trx: Trx, { organizationId, id, provider }: LmsPreview): Promise<string[]> {
  const key = { organizationId, previewId: id };
  const rows = await rowsOf<{ id: string }>(
    trx,
    `select distinct id, position
     from (${driftedPeople(identityOf(provider))} union all ${driftedEnrollments} union all ${mergedSince}) drifted
     order by position limit ${maxCommitDetails}`,
    { ...key, provider },
  );
  return rows.map((row) => row.id);
}

/** Throws CONFLICT with `rows.<rowId>` of each row. */
export function refuseDrifted(rowIds: readonly string[]): void {
  if (rowIds.length === 0) return;
  throw new AppError('CONFLICT', 'Some rows are not what they were. Make a new preview.', {
    details: rowIds.map((id) => ({ field: `rows.${id}`, issue: 'drifted' })),
  });
}
