// The kinds of work that can be overdue. Each source is a function that returns its rows in the order of the list, from a
// position on; the list merges them.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { mostIntensiveTier } from '../../interventions/index.ts';
import type { OverdueWork } from './schemas.ts';

export interface OverdueQuestion {
  readonly organizationId: string;
  readonly now: Date;
  readonly classId: number | null;
  readonly schoolId: string | null;
  /** The teacher or principal whose reach it is; null for the whole organization. */
  readonly teacherId: number | null;
  readonly principalId: number | null;
  /** The position after which the page begins. */
  readonly after: { readonly dueOn: string; readonly kind: string; readonly id: string } | null;
  readonly most: number;
}

export interface OverdueRow {
  readonly kind: OverdueWork['kind'];
  readonly id: string;
  readonly studentId: number;
  readonly classId: number;
  /** Local date, as is `today`. */
  readonly dueOn: string;
  readonly today: string;
  readonly weekend: readonly number[];
  readonly holidays: readonly string[];
  /** Whether a teacher of the class may sign in. */
  readonly hasTeacher: boolean;
  /** Whether a packet decides about the most intensive tier. */
  readonly needsSpecialist: boolean;
}

export type OverdueSource = (trx: Trx, question: OverdueQuestion) => Promise<readonly OverdueRow[]>;

interface StoredWork {
  readonly kind: OverdueWork['kind'];
  readonly table: 'rti_alert' | 'decision_packet';
  /** Conditions of SQL on the row `w`. */
  readonly isOpen: string;
  readonly needsSpecialist: string;
}

/** Of students in a class within the caller's reach. A day is over where the school is. */
const storedWork =
  ({ kind, table, isOpen, needsSpecialist }: StoredWork): OverdueSource =>
  (trx, question) =>
    rowsOf<OverdueRow>(
      trx,
      `select :kind as kind, w.id, w.student_id, c.id as class_id, w.due_on, d.today, o.weekend, o.holidays,
         exists (select from class_teacher t join app_user u on u.organization_id = t.organization_id
           and u.id = t.teacher_user_id and u.status = 'active'
           where t.organization_id = c.organization_id and t.class_id = c.id) as has_teacher,
         ${needsSpecialist} as needs_specialist
       from ${table} w
       join organization o on o.id = w.organization_id
       join enrollment e on e.organization_id = w.organization_id and e.student_id = w.student_id
         and e.enrolled_to is null
       join class c on c.organization_id = e.organization_id and c.id = e.class_id
       join school s on s.organization_id = c.organization_id and s.id = c.school_id
       cross join lateral (
         select (:now::timestamptz at time zone coalesce(s.time_zone, o.time_zone))::date as today) d
       where w.organization_id = :organizationId and ${isOpen} and w.due_on < d.today
         and (:classId::bigint is null or c.id = :classId::bigint)
         and (:schoolId::text is null or c.school_id = :schoolId::text)
         and (:teacherId::bigint is null or exists (select from class_teacher t
           where t.organization_id = c.organization_id and t.class_id = c.id and t.teacher_user_id = :teacherId::bigint))
         and (:principalId::bigint is null or exists (select from principal_school p
           where p.organization_id = c.organization_id and p.school_id = c.school_id
             and p.principal_user_id = :principalId::bigint))
         and (:afterDay::date is null or (w.due_on, :kind::text, w.id) > (:afterDay::date, :afterKind::text, :afterId::text))
       order by w.due_on, w.id limit :most`,
      bindingsOf(kind, question),
    );

const bindingsOf = (kind: string, { now, after, ...question }: OverdueQuestion) => ({
  ...{ ...question, kind, now: now.toISOString(), mostIntensiveTier },
  ...{ afterDay: after?.dueOn ?? null, afterKind: after?.kind ?? null, afterId: after?.id ?? null },
});

const alertWork = storedWork({
  ...{ kind: 'alert', table: 'rti_alert', isOpen: "w.state = 'open'" },
  needsSpecialist: 'false',
});

const packetWork = storedWork({
  ...{ kind: 'packet', table: 'decision_packet', isOpen: "w.status = 'under_review'" },
  needsSpecialist:
    "coalesce(:mostIntensiveTier::integer in (w.from_tier, (w.recommendation ->> 'toTier')::integer), false)",
});

export const overdueSources: readonly OverdueSource[] = [alertWork, packetWork];
