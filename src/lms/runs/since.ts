// What a commit has changed, beside what is there now.
import type { Trx } from '../../platform/db.ts';
import { joinedByHash, rowsOf } from '../../platform/sql.ts';
import type { LmsSyncRun } from './rows.ts';

const pageSize = 1_000;

export interface PersonValues {
  readonly fullNameAr: string | null;
  readonly email: string | null;
  readonly status: 'active' | 'inactive';
}

interface Side {
  /** Null: there was no account. */
  readonly person?: PersonValues | null;
  readonly role?: 'student' | 'teacher';
  readonly classId?: number | null;
}

export interface StoredChange {
  readonly position: number;
  readonly rowId: string;
  readonly userId: number;
  readonly before: Side;
  readonly after: Side;
}

export const ofRun = `c.organization_id = :organizationId and c.run_id = :runId
  and not jsonb_exists(c.after, 'isOnlyRemembered')`;
const keyOf = ({ organizationId, id: runId }: LmsSyncRun) => ({ organizationId, runId });

/** Ids of rows that somebody has changed since, in order; a class that would be needed again and is archived counts too. */
export async function changedSince(trx: Trx, run: LmsSyncRun): Promise<string[]> {
  const rows = await joinedByHash(trx, () => rowsOf<{ rowId: string }>(trx, changedRows, keyOf(run)));
  return rows.map(({ rowId }) => rowId);
}

const changedRows = `
    select c.row_id from lms_change c
     left join app_user u on u.organization_id = :organizationId and u.id = c.user_id
     left join enrollment e on c.after ->> 'role' = 'student' and e.organization_id = :organizationId
       and e.student_id = c.user_id and e.enrolled_to is null
     left join class_teacher t on c.after ->> 'role' = 'teacher' and t.organization_id = :organizationId
       and t.teacher_user_id = c.user_id
       and t.class_id = coalesce((c.after ->> 'classId')::bigint, (c.before ->> 'classId')::bigint)
     left join class k on k.organization_id = :organizationId and k.id = (c.before ->> 'classId')::bigint
     where ${ofRun} and (u.id is null or case
       when jsonb_exists(c.after, 'person') then jsonb_build_array(u.full_name_ar, u.email, u.status) is distinct from
         jsonb_build_array(c.after -> 'person' -> 'fullNameAr', c.after -> 'person' -> 'email', c.after -> 'person' -> 'status')
       else coalesce(e.class_id, t.class_id) is distinct from (c.after ->> 'classId')::bigint
         or (c.before ->> 'classId' is not null and (k.id is null or k.archived_at is not null)) end)
     order by c.position`;

/** Of people, or of enrollments, in order and page by page. */
export async function* revertible(
  trx: Trx,
  run: LmsSyncRun,
  kind: 'person' | 'enrollment',
): AsyncIterable<readonly StoredChange[]> {
  for (let after = -1; ; ) {
    const page: StoredChange[] = await rowsOf<StoredChange>(
      trx,
      `select c.position, c.row_id, c.user_id, c.before, c.after from lms_change c
       where ${ofRun} and jsonb_exists(c.after, 'person') = :isPerson and c.position > :after
       order by c.position limit ${pageSize}`,
      { ...keyOf(run), isPerson: kind === 'person', after },
    );
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.position ?? 0;
  }
}
