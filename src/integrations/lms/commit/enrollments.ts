// Writes the enrollments of a preview: students join and leave classes, teachers are added and removed.
import { joinedByHash, rowsOf } from '#core/platform/sql.ts';
import { attachTeachers, detachTeachers, moveStudents } from '#identity/people/index.ts';
import { identityOf } from '../enums.ts';
import { positionRanges } from '../preview/position-ranges.ts';
import { effect, isEnrollment, rowEffectSql, rowsOfPreview } from './effect.ts';
import type { Committing } from './people.ts';

interface EnrollmentRow {
  readonly position: number;
  readonly userId: number;
  readonly role: 'student' | 'teacher';
  readonly isOpen: boolean;
  readonly primary: boolean;
  readonly classId: number | null;
  readonly localClassId: number | null;
}

/** Leaves out enrollments of people who are not linked. */
async function* written({ trx, preview }: Committing, role: 'student' | 'teacher') {
  const key = { organizationId: preview.organizationId, previewId: preview.id, role };
  const ofRole = `${rowsOfPreview} and ${isEnrollment} and r.facts ->> 'role' = :role`;
  for await (const part of positionRanges(trx, ofRole, key)) {
    const page = await rowsOf<EnrollmentRow>(
      trx,
      `select r.position, r.user_id, r.facts ->> 'role' as role, (r.facts -> 'isOpen')::boolean as is_open,
         (r.facts -> 'primary')::boolean as primary, (r.facts ->> 'classId')::bigint as class_id,
         (r.facts ->> 'localClassId')::bigint as local_class_id
       from ${ofRole} and ${effect} = 'write' and r.user_id is not null and r.position > :after and r.position <= :upTo
       order by r.position`,
      { ...key, ...part },
    );
    if (page.length > 0) yield page;
  }
}

/** Stores the account ids of people in the rows of their enrollments, and removes those of people who are not linked. */
export async function nameEnrollments({ trx, preview }: Committing): Promise<void> {
  const key = { organizationId: preview.organizationId, previewId: preview.id };
  await joinedByHash(trx, async () => {
    await rowsOf(trx, namesOfPeople, key);
    await rowsOf(trx, namesWithoutAccount, { ...key, identity: identityOf(preview.provider) });
  });
}

const namesOfPeople = `
    update lms_preview_row r set user_id = p.user_id from lms_preview_row p
     where r.organization_id = :organizationId and r.preview_id = :previewId and ${isEnrollment} and r.user_id is null
       and p.organization_id = r.organization_id and p.preview_id = r.preview_id and p.entity <> 'enrollment'
       and p.person_external_id = r.person_external_id and p.user_id is not null`;

/** Enrollments of people whom the preview has matched, but whose own row is skipped. */
const namesWithoutAccount = `
    update lms_preview_row r set user_id = null from lms_preview_row p
     where r.organization_id = :organizationId and r.preview_id = :previewId and ${isEnrollment} and r.user_id is not null
       and ${effect} = 'write' and p.organization_id = r.organization_id and p.preview_id = r.preview_id
       and p.entity <> 'enrollment' and p.person_external_id = r.person_external_id
       and ${rowEffectSql('p')} not in ('write', 'keep') and not exists (select from external_identity i
         where i.organization_id = :organizationId and i.provider = :identity and i.subject = r.person_external_id)`;

/** Adds teachers before it removes others, so that a class does not lose its last teacher. */
export async function writeTeachers(committing: Committing): Promise<void> {
  const { trx, preview } = committing;
  const { organizationId } = preview;
  for await (const page of written(committing, 'teacher')) {
    const coming = page.flatMap(({ isOpen, classId, localClassId, userId: teacherUserId, primary }) =>
      isOpen && classId !== null && localClassId === null ? [{ classId, teacherUserId, primary }] : [],
    );
    await attachTeachers(trx, organizationId, coming);
  }
  for await (const page of written(committing, 'teacher')) {
    const leaving = page.flatMap(({ isOpen, localClassId, userId: teacherUserId }) =>
      !isOpen && localClassId !== null ? [{ classId: localClassId, teacherUserId }] : [],
    );
    await detachTeachers(trx, organizationId, leaving);
  }
}

export async function writeStudents(committing: Committing, grades: ReadonlyMap<number, string>): Promise<void> {
  const { trx, preview, now, today } = committing;
  const { organizationId } = preview;
  for await (const page of written(committing, 'student')) {
    const placings = page.map(({ userId: studentId, isOpen, classId }) => ({
      studentId,
      classId: isOpen ? classId : null,
    }));
    await moveStudents(trx, { organizationId, today, now }, placings, grades);
  }
}
