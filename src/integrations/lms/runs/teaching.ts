// Who teaches a class, as SQL: what stood before a commit and after it, and what stands when it is taken back.
import { lockingRows } from '#core/platform/locks.ts';

/** How somebody teaches a class, or null, and who leads it. */
export const teaching = (classId: string, userId: string): string => `jsonb_build_object(
  'own', (select jsonb_build_object('role', t.role, 'position', t.position) from class_teacher t
    where t.organization_id = :organizationId and t.class_id = ${classId} and t.teacher_user_id = ${userId}),
  'leader', (select t.teacher_user_id from class_teacher t
    where t.organization_id = :organizationId and t.class_id = ${classId} and t.role = 'PRIMARY'))`;

/** Of classes that are locked. */
export const lockedTeachings = `
  select count(*) from (select t.class_id from class_teacher t
    where t.organization_id = :organizationId and t.class_id = any(:classIds::bigint[])
    order by t.class_id, t.teacher_user_id ${lockingRows('teaching', 'change', 't')}) locked`;
