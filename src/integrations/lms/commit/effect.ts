// What a row of a preview comes to, as SQL: the same for the checks, the writes and the counts of a commit.
import { rememberedReasons } from '../enums.ts';

/** `open`: a conflict that nobody has resolved. `keep`: what is here stays, and is what the source says from now on. */
export const effectOf = (row: string): string => `case
  when ${row}.action = 'skip' or ${row}.resolution = 'skip_row' then 'skip'
  when ${row}.resolution = 'keep_amal' then 'keep'
  when ${row}.action = 'conflict' and ${row}.resolution is null then 'open'
  else 'write' end`;
export const effect = effectOf('r');

/**
 * A row brings the person to another class than the one that `r` is about, or to that one where `r` is open; or somebody has
 * said that it does not. While it waits or is skipped, the person is still where an import has brought the person.
 */
const isPlaced = `exists (select from lms_preview_row m
  where m.organization_id = :organizationId and m.preview_id = :previewId and m.entity = 'enrollment'
    and m.person_external_id = r.person_external_id and m.user_id = r.user_id
    and m.facts ->> 'role' = r.facts ->> 'role' and (m.facts -> 'isOpen')::boolean
    and (m.facts -> 'classId' = r.facts -> 'classId' or not (r.facts -> 'isOpen')::boolean)
    and (${effectOf('m')} in ('write', 'keep') or m.reason_code = 'kept_local'))`;

/** The next import compares with what the source says in the row now. */
export const updatesBaseline = `(${effect} in ('write', 'keep') or (r.resolution is null and (r.facts -> 'isStale')::boolean
  and r.reason_code in (${rememberedReasons.map((reason) => `'${reason}'`).join(', ')})
  and ((r.facts -> 'followsPlacing')::boolean is not true or ${isPlaced})))`;

/** A student whose address cannot be his comes without one. */
export const withoutEmail = `r.reason_code in
  ('email_belongs_to_other_persona', 'ambiguous_email', 'email_in_other_organization')`;

export const rowsOfPreview = `lms_preview_row r
  where r.organization_id = :organizationId and r.preview_id = :previewId`;

export const isPerson = `r.entity <> 'enrollment'`;
export const isEnrollment = `r.entity = 'enrollment'`;

/** Writing happens this many rows at a time. */
export const pageSize = 1_000;
