// Stores the state before a commit in the rows that are about to replace it, so that a revert can restore it: the baseline of
// earlier imports, identities, teachers and head teachers.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { identityOf } from '../enums.ts';
import type { LmsPreview } from '../preview/rows.ts';
import { teaching } from '../runs/teaching.ts';
import { effect, isEnrollment, isPerson, updatesBaseline } from './effect.ts';

const formerPeople = `
  update lms_preview_row r set facts = r.facts || jsonb_build_object('former', jsonb_build_object(
    'fullNameAr', b.full_name_ar, 'email', b.email, 'active', b.active))
  from lms_person b
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isPerson} and r.user_id is not null
    and ${updatesBaseline} and b.organization_id = :organizationId and b.provider = :provider
    and b.external_id = r.person_external_id`;

const formerEnrollments = `
  update lms_preview_row r set facts = r.facts || jsonb_build_object('former', jsonb_build_object(
    'classId', b.class_id, 'isOpen', b.is_open, 'made', b.made))
  from lms_enrollment b
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isEnrollment} and r.user_id is not null
    and ${updatesBaseline} and b.organization_id = :organizationId and b.provider = :provider
    and b.person_external_id = r.person_external_id and b.course_external_id = r.facts ->> 'courseExternalId'
    and b.role = r.facts ->> 'role'`;

/** The rows of new people have the mark already. */
const firstLinked = `
  update lms_preview_row r set facts = r.facts || '{"isFirstLinked": true}'
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isPerson} and r.user_id is not null
    and ${effect} = 'write' and not jsonb_exists(r.facts, 'isNew') and not exists (select from external_identity i
      where i.organization_id = :organizationId and i.provider = :identity and i.subject = r.person_external_id)`;

/**
 * Marks the links of first sign-ins that this commit adopts. Links that an earlier commit of the same preview has adopted are
 * left out.
 */
const byEmail = `
  update lms_preview_row r set facts = r.facts || jsonb_build_object('wasByEmail', i.by_email)
  from external_identity i
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isPerson} and ${updatesBaseline}
    and i.organization_id = :organizationId and i.provider = :identity and i.subject = r.person_external_id
    and i.user_id = r.user_id and i.by_email <> coalesce((r.facts -> 'wasByEmail')::boolean, false)`;

/** The class of a row, whether the person joins or leaves it. */
export const classOfRow = "coalesce((r.facts ->> 'localClassId')::bigint, (r.facts ->> 'classId')::bigint)";

const formerTeachings = `
  update lms_preview_row r set facts = r.facts || jsonb_build_object('teaching', ${teaching(classOfRow, 'r.user_id')})
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isEnrollment} and ${effect} = 'write'
    and r.facts ->> 'role' = 'teacher' and r.user_id is not null`;

/** Called before anything but accounts is written. The accounts and classes are locked. */
export async function keepPreCommitState(
  trx: Trx,
  { organizationId, id: previewId, provider }: LmsPreview,
): Promise<void> {
  const key = { organizationId, previewId };
  const identity = identityOf(provider);
  await rowsOf(trx, formerPeople, { ...key, provider });
  await rowsOf(trx, formerEnrollments, { ...key, provider });
  await rowsOf(trx, firstLinked, { ...key, identity });
  if (identity === 'google') await rowsOf(trx, byEmail, { ...key, identity });
  await rowsOf(trx, formerTeachings, key);
}
