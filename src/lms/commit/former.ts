// What earlier imports remember of people and enrollments, kept beside the rows that are about to replace it: whoever takes the
// commit back gives it back.
import type { Trx } from '../../platform/db.ts';
import { rowsOf } from '../../platform/sql.ts';
import type { LmsPreview } from '../preview/rows.ts';
import { isEnrollment, isPerson, isToldAnew } from './effect.ts';

const formerPeople = `
  update lms_preview_row r set facts = r.facts || jsonb_build_object('former', jsonb_build_object(
    'fullNameAr', b.full_name_ar, 'email', b.email, 'active', b.active))
  from lms_person b
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isPerson} and r.user_id is not null
    and ${isToldAnew} and b.organization_id = :organizationId and b.provider = :provider
    and b.external_id = r.person_external_id`;

const formerEnrollments = `
  update lms_preview_row r set facts = r.facts || jsonb_build_object('former', jsonb_build_object(
    'classId', b.class_id, 'isOpen', b.is_open, 'made', b.made))
  from lms_enrollment b
  where r.organization_id = :organizationId and r.preview_id = :previewId and ${isEnrollment} and r.user_id is not null
    and ${isToldAnew} and b.organization_id = :organizationId and b.provider = :provider
    and b.person_external_id = r.person_external_id and b.course_external_id = r.facts ->> 'courseExternalId'
    and b.role = r.facts ->> 'role'`;

/** Before `rememberPeople` and `rememberEnrollments`. */
export async function keepFormer(trx: Trx, { organizationId, id: previewId, provider }: LmsPreview): Promise<void> {
  const key = { organizationId, previewId, provider };
  await rowsOf(trx, formerPeople, key);
  await rowsOf(trx, formerEnrollments, key);
}
