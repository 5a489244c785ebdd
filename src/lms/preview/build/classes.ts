// What only a whole class shows: that many would leave it at once, or its last teacher. Those rows become conflicts.
import type { Trx } from '../../../platform/db.ts';
import { rowsOf } from '../../../platform/sql.ts';
import { isMassRemoval, losesLastTeacher } from '../../engine/enrollments.ts';
import type { ConflictReason } from '../../words.ts';
import type { LmsPreview } from '../rows.ts';

interface ClassCounts {
  readonly classId: number;
  readonly present: number;
  readonly leaving: number;
  readonly coming: number;
}

const rowsFor = (role: 'student' | 'teacher') => `lms_preview_row r
  where r.organization_id = :organizationId and r.preview_id = :previewId and r.entity = 'enrollment'
    and r.facts ->> 'role' = '${role}'`;

const leavingFrom = (role: 'student' | 'teacher') => `
  leaving as (select (r.facts ->> 'localClassId')::bigint as class_id, count(*)::integer as leaving
    from ${rowsFor(role)} and r.action = 'update' and r.reason_code in ('ended', 'moved') group by 1)`;

const studentCounts = `
  with ${leavingFrom('student')}
  select l.class_id, l.leaving, 0 as coming, (select count(*)::integer from enrollment e
    where e.organization_id = :organizationId and e.class_id = l.class_id and e.enrolled_to is null) as present
  from leaving l order by l.class_id`;

const teacherCounts = `
  with ${leavingFrom('teacher')}
  select l.class_id, l.leaving, (select count(*)::integer from class_teacher t
    where t.organization_id = :organizationId and t.class_id = l.class_id) as present,
    (select count(*)::integer from ${rowsFor('teacher')} and r.reason_code = 'new_enrollment'
      and (r.facts ->> 'classId')::bigint = l.class_id and not exists (select from lms_preview_row p
        where p.organization_id = r.organization_id and p.preview_id = r.preview_id and p.entity <> 'enrollment'
          and p.person_external_id = r.person_external_id and p.action = 'conflict')) as coming
  from leaving l order by l.class_id`;

export async function findClassConflicts(trx: Trx, { organizationId, id: previewId }: LmsPreview): Promise<void> {
  const key = { organizationId, previewId };
  const taught = await rowsOf<ClassCounts>(trx, teacherCounts, key);
  const orphaned = taught.filter(({ present, leaving, coming }) => losesLastTeacher(present, leaving, coming));
  await conflict(trx, key, { role: 'teacher', classes: orphaned, reason: 'would_orphan_last_teacher' });
  const attended = await rowsOf<ClassCounts>(trx, studentCounts, key);
  const emptied = attended.filter(({ present, leaving }) => isMassRemoval(present, leaving));
  await conflict(trx, key, { role: 'student', classes: emptied, reason: 'mass_removal' });
}

interface Found {
  readonly role: 'student' | 'teacher';
  readonly classes: readonly ClassCounts[];
  readonly reason: ConflictReason;
}

async function conflict(
  trx: Trx,
  key: { readonly organizationId: string; readonly previewId: string },
  { role, classes, reason }: Found,
): Promise<void> {
  if (classes.length === 0) return;
  await trx('lms_preview_row')
    .where({ ...key, entity: 'enrollment', action: 'update' })
    .whereIn('reasonCode', ['ended', 'moved'])
    .whereRaw("facts ->> 'role' = ?", [role])
    .whereRaw("(facts ->> 'localClassId')::bigint = any(?::bigint[])", [classes.map(({ classId }) => classId)])
    .update({ action: 'conflict', reasonCode: reason });
}
