// The enrollment context of students: class, grade and school calendar.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { classHistoryOf, type WithClassHistory } from '#identity/people/index.ts';

export interface EnrollmentContext extends WithClassHistory {
  readonly studentId: number;
  /** The class of the open enrollment, of whatever school year. */
  readonly classId: number | null;
  /** The school of that class. */
  readonly schoolId: string | null;
  /** Local date of the first enrollment; null for a student who never was in a class. */
  readonly enrolledSince: string | null;
  /** IANA name; of the class's school, else of the organization. */
  readonly timeZone: string;
  /** Monday 1 to Sunday 7. */
  readonly weekend: readonly number[];
  /** Local dates. */
  readonly holidays: readonly string[];
  /** The setting of the class's school, else of the organization; null when neither has one. */
  readonly minClusterSize: number | null;
}

/** Contexts of living students of the organization, by id, and on request of erased ones. */
export const enrollmentContexts = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  which: 'living' | 'erased too' = 'living',
): Promise<EnrollmentContext[]> =>
  rowsOf(
    trx,
    `select u.id as student_id, case when e.enrolled_to is null then e.class_id end as class_id,
       case when e.enrolled_to is null then c.school_id end as school_id,
       ${classHistoryOf('u.organization_id', 'u.id')} as class_history,
       (select min(f.enrolled_from) from enrollment f
        where f.organization_id = u.organization_id and f.student_id = u.id) as enrolled_since,
       coalesce(s.time_zone, o.time_zone) as time_zone, o.weekend, o.holidays,
       coalesce(s.min_cluster_size, o.min_cluster_size) as min_cluster_size
     from app_user u
     join organization o on o.id = u.organization_id
     left join lateral (select class_id, enrolled_to from enrollment e
       where e.organization_id = u.organization_id and e.student_id = u.id
       order by e.enrolled_to is not null, e.id desc limit 1) e on true
     left join class c on c.organization_id = u.organization_id and c.id = e.class_id
     left join school s on s.organization_id = u.organization_id and s.id = c.school_id
     where u.organization_id = :organizationId and u.id = any(:studentIds::bigint[])
       and u.primary_persona = 'STUDENT' and (:erasedToo or u.status <> 'deleted')
     order by u.id`,
    { organizationId, studentIds: [...studentIds], erasedToo: which === 'erased too' },
    keptPlan,
  );
