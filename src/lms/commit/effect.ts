// What a row of a preview comes to, as SQL: the same for the checks, the writes and the counts of a commit.
import { rememberedReasons } from '../words.ts';

/** `open`: a conflict that nobody has resolved. `keep`: what is here stays, and is what the source says from now on. */
export const effectOf = (row: string): string => `case
  when ${row}.action = 'skip' or ${row}.resolution = 'skip_row' then 'skip'
  when ${row}.resolution = 'keep_amal' then 'keep'
  when ${row}.action = 'conflict' and ${row}.resolution is null then 'open'
  else 'write' end`;
export const effect = effectOf('r');

/** The next import compares with what the source says in the row now. */
export const isToldAnew = `(${effect} in ('write', 'keep') or (r.resolution is null and (r.facts -> 'isStale')::boolean
  and r.reason_code in (${rememberedReasons.map((reason) => `'${reason}'`).join(', ')})))`;

/** A student whose address cannot be his comes without one. */
export const withoutEmail = `r.reason_code in
  ('email_belongs_to_other_persona', 'ambiguous_email', 'email_in_other_organization')`;

export const rowsOfPreview = `lms_preview_row r
  where r.organization_id = :organizationId and r.preview_id = :previewId`;

export const isPerson = `r.entity <> 'enrollment'`;
export const isEnrollment = `r.entity = 'enrollment'`;

/** Writing happens this many rows at a time. */
export const pageSize = 1_000;
