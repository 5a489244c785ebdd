// The effect of a row of a preview as SQL, for the checks, the writes and the counts of a commit.
import { reasonsWithBaselineUpdate } from '../enums.ts';

/**
 * `open`: a conflict without a resolution. `keep`: the local values stay, and the values of the source become the baseline.
 */
export const rowEffectSql = (row: string): string => `case
  when ${row}.action = 'skip' or ${row}.resolution = 'skip_row' then 'skip'
  when ${row}.resolution = 'keep_amal' then 'keep'
  when ${row}.action = 'conflict' and ${row}.resolution is null then 'open'
  else 'write' end`;
export const effect = rowEffectSql('r');

/**
 * True when a row enrolls the person in another class than that of `r`, or in that class when `r` is open, or when an
 * administrator has decided against it. While such a row waits or is skipped, the person stays in the class of the last
 * import.
 */
const isPlaced = `exists (select from lms_preview_row m
  where m.organization_id = :organizationId and m.preview_id = :previewId and m.entity = 'enrollment'
    and m.person_external_id = r.person_external_id and m.user_id = r.user_id
    and m.facts ->> 'role' = r.facts ->> 'role' and (m.facts -> 'isOpen')::boolean
    and (m.facts -> 'classId' = r.facts -> 'classId' or not (r.facts -> 'isOpen')::boolean)
    and (${rowEffectSql('m')} in ('write', 'keep') or m.reason_code = 'kept_local'))`;

/** True when the values of the row become the baseline that the next import compares with. */
export const updatesBaseline = `(${effect} in ('write', 'keep') or (r.resolution is null and (r.facts -> 'isStale')::boolean
  and r.reason_code in (${reasonsWithBaselineUpdate.map((reason) => `'${reason}'`).join(', ')})
  and ((r.facts -> 'followsPlacing')::boolean is not true or ${isPlaced})))`;

/** True when a student is imported without an address, because it belongs to another person. */
export const withoutEmail = `r.reason_code in
  ('email_belongs_to_other_persona', 'ambiguous_email', 'email_in_other_organization')`;

export const rowsOfPreview = `lms_preview_row r
  where r.organization_id = :organizationId and r.preview_id = :previewId`;

export const isPerson = `r.entity <> 'enrollment'`;
export const isEnrollment = `r.entity = 'enrollment'`;

/** The number of rows that are written at a time. */
export const pageSize = 1_000;
