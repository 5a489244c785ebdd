// The students whom a teacher names: who is in the organization, in which class, and whether the teacher teaches it.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface TaughtBy {
  readonly organizationId: string;
  readonly userId: number;
}

export interface NamedStudent {
  readonly isKnown: boolean;
  /** Of the open enrollment; null between classes. */
  readonly classId: number | null;
  readonly isReached: boolean;
}

/** In the order of the list. */
export const namedStudents = (trx: Trx, teacher: TaughtBy, studentIds: readonly number[]): Promise<NamedStudent[]> =>
  rowsOf(
    trx,
    `select u.id is not null as is_known, e.class_id, t.class_id is not null as is_reached
     from unnest(:studentIds::bigint[]) with ordinality as n (student_id, place)
     left join app_user u on u.organization_id = :organizationId and u.id = n.student_id
       and u.primary_persona = 'STUDENT' and u.status <> 'deleted'
     left join enrollment e on e.organization_id = :organizationId and e.student_id = u.id and e.enrolled_to is null
     left join class_teacher t on t.organization_id = :organizationId and t.class_id = e.class_id
       and t.teacher_user_id = :userId
     order by n.place`,
    { ...teacher, studentIds: [...studentIds] },
  );
