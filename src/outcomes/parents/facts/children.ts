// Reads children's names, classes, schools and teachers, and the children linked to a parent.
import { accountsIn, newestAnswerOf, voidIn } from '#assessment/measurement/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { classHistoryOf, lastGradeAt, type WithClassHistory } from '#identity/people/index.ts';
import type { FamilyRules } from '../rules.ts';

interface ChildFacts {
  readonly studentId: number;
  readonly fullNameAr: string;
  readonly organizationName: string;
  readonly className: string | null;
  readonly schoolName: string | null;
  /** Teacher of the current class only. */
  readonly teacherName: string | null;
  /** IANA name. */
  readonly timeZone: string;
}

/** `grade`: of the class of this school year, else of the last one; null without any class. */
export type FamilyChild = ChildFacts & { readonly grade: number | null };

/** The rules and the moment of a read. */
interface At {
  readonly rules: Pick<FamilyRules, 'calendar'>;
  readonly now: Date;
}

const withGrade =
  ({ rules, now }: At) =>
  <Row extends WithClassHistory & { readonly timeZone: string }>({ classHistory, ...row }: Row) => ({
    ...row,
    grade: lastGradeAt({ classHistory, timeZone: row.timeZone }, rules.calendar.schoolYear, now),
  });

const classHistory = `${classHistoryOf('u.organization_id', 'u.id')} as class_history`;

/** SQL join of the current class, else the last one. */
const latestClass = `left join lateral (select e.class_id, e.enrolled_to from enrollment e
    where e.organization_id = u.organization_id and e.student_id = u.id
    order by e.enrolled_to is not null, e.id desc limit 1) e on true
  left join class c on c.organization_id = u.organization_id and c.id = e.class_id
  left join school s on s.organization_id = u.organization_id and s.id = c.school_id`;

/** Returns children in the order of `studentIds`, without erased ones. */
export async function childrenOf(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  at: At,
): Promise<FamilyChild[]> {
  const rows = await rowsOf<ChildFacts & WithClassHistory>(
    trx,
    `select u.id as student_id, coalesce(u.full_name_ar, '') as full_name_ar, ${classHistory}, c.name as class_name,
       s.name as school_name, o.name as organization_name, coalesce(s.time_zone, o.time_zone) as time_zone,
       case when e.enrolled_to is null then (select a.full_name_ar from class_teacher t
         join app_user a on a.organization_id = t.organization_id and a.id = t.teacher_user_id
         where t.organization_id = u.organization_id and t.class_id = c.id and t.role = 'PRIMARY') end as teacher_name
     from unnest(:studentIds::bigint[]) with ordinality as w (id, position)
     join app_user u on u.organization_id = :organizationId and u.id = w.id and u.status <> 'deleted'
     join organization o on o.id = u.organization_id
     ${latestClass}
     order by w.position`,
    { organizationId, studentIds: [...studentIds] },
  );
  return rows.map(withGrade(at));
}

interface LinkedFacts {
  readonly childId: string;
  readonly fullNameAr: string;
  readonly schoolName: string | null;
  /** ISO 8601. */
  readonly lastActiveAt: string | null;
  /** IANA name. */
  readonly timeZone: string;
}

export type LinkedChild = LinkedFacts & Pick<FamilyChild, 'grade'>;

const child = { organizationId: 'u.organization_id', id: 'u.id' } as const;

const accountsOfChild = accountsIn({ organizationId: 'u.organization_id', studentId: 'u.id' });

/** SQL of the last activity of the child `u`: a sign-in, an answer, or a scored oral reading. */
const lastActive = `greatest(
  (select max(a.created_at) from auth_session a where a.organization_id = u.organization_id and a.user_id = u.id),
  ${newestAnswerOf('diagnostic', child)},
  ${newestAnswerOf('practice', child)},
  (select max(v.received_at) from warmup_session w join warmup_event v on v.organization_id = w.organization_id
     and v.school_year = w.school_year and v.session_id = w.id
   where w.organization_id = u.organization_id and w.student_id = u.id and v.type = 'answer'),
  (select max(r.received_at) from session_response r where r.organization_id = u.organization_id and r.student_id = u.id),
  (select max(r.answered_at) from live_response r where r.organization_id = u.organization_id and r.student_id = u.id),
  (select max(f.stopped_at) from orf_assessment f
   where f.organization_id = u.organization_id and f.student_id = any(${accountsOfChild}) and f.status = 'SCORED'
     and ${voidIn({ kind: 'orf', organizationId: 'f.organization_id', refId: 'f.id' })} is null))`;

/** Returns children in the order in which they were linked. */
export async function linkedChildren(
  trx: Trx,
  { organizationId, parentUserId }: { readonly organizationId: string; readonly parentUserId: number },
  at: At,
): Promise<LinkedChild[]> {
  const rows = await rowsOf<LinkedFacts & WithClassHistory>(
    trx,
    `select l.child_id, coalesce(u.full_name_ar, '') as full_name_ar, ${classHistory}, s.name as school_name,
       coalesce(s.time_zone, o.time_zone) as time_zone,
       ${lastActive} as last_active_at
     from parent_student l
     join app_user u on u.organization_id = l.organization_id and u.id = l.student_id and u.status <> 'deleted'
     join organization o on o.id = u.organization_id
     ${latestClass}
     where l.organization_id = :organizationId and l.parent_user_id = :parentUserId
     order by l.position`,
    { organizationId, parentUserId },
  );
  return rows.map(withGrade(at));
}
