// Refuses a commit that would leave a class without a teacher, unless an administrator has accepted it. A teacher on whom the
// preview relied may be skipped or deleted by the time of the commit.
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { LmsPreview } from '../preview/rows.ts';
import { maxCommitDetails } from './checks.ts';
import { effect, isEnrollment, rowsOfPreview } from './effect.ts';

/** Selects the rows of teachers who leave a class that would have no teacher then, and whose leaving was not accepted. */
const leavingAlone = `
  with moves as (select r.id, r.position, r.reason_code, (r.facts -> 'isOpen')::boolean as comes,
      (r.facts ->> 'classId')::bigint as class_id, (r.facts ->> 'localClassId')::bigint as local_class_id
    from ${rowsOfPreview} and ${isEnrollment} and ${effect} = 'write' and r.facts ->> 'role' = 'teacher'
      and r.user_id is not null),
  leaving as (select id, position, reason_code, local_class_id as class_id,
      count(*) over (partition by local_class_id) as number
    from moves where not comes and local_class_id is not null)
  select l.id from leaving l
  where l.reason_code <> 'would_orphan_last_teacher'
    and not exists (select from moves m where m.comes and m.class_id = l.class_id and m.local_class_id is null)
    and l.number >= (select count(*) from class_teacher t
      where t.organization_id = :organizationId and t.class_id = l.class_id)
  order by l.position limit ${maxCommitDetails}`;

/**
 * Throws VALIDATION_ERROR with `rows.<rowId>` of each row. The rows have the ids of their accounts, and the classes are
 * locked.
 */
export async function refuseClassesWithoutTeacher(
  trx: Trx,
  { organizationId, id: previewId }: LmsPreview,
): Promise<void> {
  const rows = await rowsOf<{ id: string }>(trx, leavingAlone, { organizationId, previewId });
  if (rows.length === 0) return;
  throw new AppError(
    'VALIDATION_ERROR',
    'Some classes would be left without a teacher. Skip who leaves, or let another come.',
    {
      details: rows.map(({ id }) => ({ field: `rows.${id}`, issue: 'would_orphan_last_teacher' })),
    },
  );
}
