// Stores the values of the source as the baseline of the next import, and the changes of this commit for a revert. Only rows
// with new values are written.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { positionRanges } from '../preview/position-ranges.ts';
import type { LmsPreview } from '../preview/rows.ts';
import { teaching } from '../runs/teaching.ts';
import { effect, isEnrollment, isPerson, rowsOfPreview, updatesBaseline, withoutEmail } from './effect.ts';
import { classOfRow } from './pre-commit-state.ts';

const keyOf = ({ organizationId, id: previewId }: LmsPreview) => ({ organizationId, previewId });

export async function savePeopleBaseline(trx: Trx, preview: LmsPreview): Promise<void> {
  await rowsOf(
    trx,
    `insert into lms_person (organization_id, provider, external_id, user_id, full_name_ar, email, active)
     select r.organization_id, :provider, r.person_external_id, r.user_id, r.facts ->> 'fullNameAr',
       r.facts ->> 'email', (r.facts -> 'active')::boolean
     from ${rowsOfPreview} and ${isPerson} and r.user_id is not null and ${updatesBaseline}
     on conflict (organization_id, provider, external_id) do update set user_id = excluded.user_id,
       full_name_ar = excluded.full_name_ar, email = coalesce(excluded.email, lms_person.email), active = excluded.active`,
    { ...keyOf(preview), provider: preview.provider },
  );
}

/**
 * `made`: an import has enrolled the person in the class and may end the enrollment, also when it did so for another course
 * of the class: the last course of the class that has the person ends it.
 */
export async function saveEnrollmentsBaseline(trx: Trx, preview: LmsPreview): Promise<void> {
  const bound = { ...keyOf(preview), provider: preview.provider };
  await rowsOf(trx, rememberedWhere(`${effect} = 'write'`, 'true'), bound);
  await rowsOf(trx, rememberedWhere(`${effect} <> 'write'`, isMadeByAnother), bound);
}

const isMadeByAnother = `exists (select from lms_enrollment o where o.organization_id = :organizationId
  and o.provider = :provider and o.person_external_id = r.person_external_id and o.role = r.facts ->> 'role'
  and o.class_id = (r.facts ->> 'classId')::bigint and o.is_open and o.made)`;

const rememberedWhere = (rows: string, isMade: string) => `
    insert into lms_enrollment as b (organization_id, provider, course_external_id, person_external_id, role, class_id,
       user_id, is_open, made)
     select r.organization_id, :provider, r.facts ->> 'courseExternalId', r.person_external_id, r.facts ->> 'role',
       coalesce((r.facts ->> 'classId')::bigint, (r.facts ->> 'localClassId')::bigint), r.user_id,
       (r.facts -> 'isOpen')::boolean, (r.facts -> 'isOpen')::boolean and ${isMade}
     from ${rowsOfPreview} and ${isEnrollment} and r.user_id is not null and ${updatesBaseline} and ${rows}
       and coalesce(r.facts ->> 'classId', r.facts ->> 'localClassId') is not null
       and r.facts ->> 'role' in ('student', 'teacher')
     on conflict (organization_id, provider, person_external_id, course_external_id, role) do update set
       class_id = excluded.class_id, user_id = excluded.user_id, is_open = excluded.is_open,
       made = excluded.made or (b.made and excluded.is_open and b.class_id = excluded.class_id)`;

/**
 * Stores the values before and after each change and, for rows that only update the baseline, the former baseline. `isLinked`
 * and `links`: the commit has linked the person, and has made those links of guardians and children. `wasByEmail`: the link
 * was that of a first sign-in.
 */
export async function recordChanges(trx: Trx, preview: LmsPreview, runId: string, now: Date): Promise<void> {
  const key = keyOf(preview);
  for await (const part of positionRanges(trx, rowsOfPreview, key, recordedAtOnce)) {
    await rowsOf(trx, changesOfPart, { ...key, ...part, runId, now: now.toISOString() });
  }
}

/** A statement for all rows could exceed the statement timeout on a slow machine. */
const recordedAtOnce = 5_000;

const changesOfPart = `
    insert into lms_change (organization_id, run_id, position, row_id, user_id, before, after, changed_at)
     select r.organization_id, :runId, r.position, r.id, r.user_id,
       case when ${isPerson} then jsonb_build_object('person', r.facts -> 'seen')
         else jsonb_build_object('role', r.facts -> 'role', 'classId', r.facts -> 'localClassId',
           'teaching', r.facts -> 'teaching') end
         || jsonb_build_object('former', r.facts -> 'former'),
       case when ${isPerson} then jsonb_build_object('person', jsonb_build_object('fullNameAr', u.full_name_ar,
           'email', u.email, 'status', u.status), 'externalId', r.person_external_id,
           'isLinked', ${effect} = 'write' and jsonb_exists(r.facts, 'isFirstLinked'), 'links', r.facts -> 'links',
           'wasByEmail', r.facts -> 'wasByEmail')
         else jsonb_build_object('role', r.facts -> 'role', 'courseExternalId', r.facts -> 'courseExternalId',
           'personExternalId', r.person_external_id,
           'classId', case when (r.facts -> 'isOpen')::boolean then r.facts -> 'classId' else 'null'::jsonb end,
           'teaching', case when r.facts ->> 'role' = 'teacher' then ${teaching(classOfRow, 'r.user_id')} end) end
         || case when ${effect} = 'write' then '{}' else '{"isOnlyRemembered": true}'::jsonb end, :now
     from lms_preview_row r
     left join app_user u on u.organization_id = r.organization_id and u.id = r.user_id
     where r.organization_id = :organizationId and r.preview_id = :previewId and r.user_id is not null
       and r.position > :after and r.position <= :upTo and ${updatesBaseline}`;

export interface RowCounts {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly open: number;
}

/** A written row counts as created when nothing existed before, else as updated. */
export async function countRows(trx: Trx, preview: LmsPreview): Promise<RowCounts> {
  const isNew = `case when ${isPerson} then r.facts -> 'seen' = 'null'::jsonb
    or (${withoutEmail} and (r.facts -> 'isNew') is not null) else r.facts -> 'localClassId' = 'null'::jsonb end`;
  const rows = await rowsOf<RowCounts>(
    trx,
    `select count(*) filter (where done and is_new)::integer as created,
       count(*) filter (where done and not is_new)::integer as updated,
       count(*) filter (where not done and what <> 'open')::integer as skipped,
       count(*) filter (where what = 'open')::integer as open
     from (select ${effect} as what, ${effect} = 'write' and r.user_id is not null as done, ${isNew} as is_new
       from ${rowsOfPreview}) counted`,
    keyOf(preview),
  );
  return rows[0] ?? { created: 0, updated: 0, skipped: 0, open: 0 };
}
