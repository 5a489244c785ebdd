// Students named in a request body: their class, and whether the teacher reaches them.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface TenantUser {
  readonly organizationId: string;
  readonly userId: number;
}

export interface NamedStudent {
  readonly isKnown: boolean;
  /** The account was merged into another one, through which it is reached; a write about it is refused. */
  readonly isMerged: boolean;
  /** The class of the open enrollment; null without one. */
  readonly classId: number | null;
  readonly isReached: boolean;
}

/** Returns one entry per id, in the order of the ids. */
export const findNamedStudents = (
  trx: Trx,
  teacher: TenantUser,
  studentIds: readonly number[],
): Promise<NamedStudent[]> =>
  rowsOf(
    trx,
    `select u.id is not null as is_known, (u.status = 'merged') is true as is_merged, e.class_id, t.class_id is not null as is_reached
     from unnest(:studentIds::bigint[]) with ordinality as n (student_id, position)
     left join app_user u on u.organization_id = :organizationId and u.id = n.student_id
       and u.primary_persona = 'STUDENT' and u.status <> 'deleted'
     left join enrollment e on e.organization_id = :organizationId 
       and e.student_id = coalesce(u.merged_into_id, u.id) and e.enrolled_to is null
     left join class_teacher t on t.organization_id = :organizationId and t.class_id = e.class_id
       and t.teacher_user_id = :userId
     order by n.position`,
    { ...teacher, studentIds: [...studentIds] },
  );
