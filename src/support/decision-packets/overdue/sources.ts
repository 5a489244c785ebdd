// The kinds of work that can be overdue. Each source is a function that returns its rows in the order of the list, from a
// position on; the list merges them.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { compare } from '#core/platform/pure/lists/compare.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { interventionRules, mostIntensiveTier, planEndsOn, planOf, schoolCalendar } from '../../interventions/index.ts';
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

export type OverdueSource = (services: Services, trx: Trx, question: OverdueQuestion) => Promise<readonly OverdueRow[]>;

interface WorkTable {
  readonly kind: OverdueWork['kind'];
  readonly table: 'rti_alert' | 'decision_packet' | 'bundle_assignment';
  /** Conditions of SQL on the row `w`. */
  readonly where: string;
  /** Columns of SQL. */
  readonly select: string;
  /** The end of the statement. */
  readonly order?: string;
}

/** Of students in a class within the caller's reach. A day is over where the school is. */
function readWork<Found>(
  trx: Trx,
  { kind, table, where, select, order = '' }: WorkTable,
  question: OverdueQuestion,
): Promise<Found[]> {
  return rowsOf<Found>(
    trx,
    `select :kind as kind, w.id, w.student_id, c.id as class_id, d.today, o.weekend, o.holidays, ${select},
       exists (select from class_teacher t join app_user u on u.organization_id = t.organization_id
         and u.id = t.teacher_user_id and u.status = 'active'
         where t.organization_id = c.organization_id and t.class_id = c.id) as has_teacher
     from ${table} w
     join organization o on o.id = w.organization_id
     join enrollment e on e.organization_id = w.organization_id and e.student_id = w.student_id
       and e.enrolled_to is null
     join class c on c.organization_id = e.organization_id and c.id = e.class_id
     join school s on s.organization_id = c.organization_id and s.id = c.school_id
     cross join lateral (
       select (:now::timestamptz at time zone coalesce(s.time_zone, o.time_zone))::date as today) d
     where w.organization_id = :organizationId and ${where}
       and (:classId::bigint is null or c.id = :classId::bigint)
       and (:schoolId::text is null or c.school_id = :schoolId::text)
       and (:teacherId::bigint is null or exists (select from class_teacher t
         where t.organization_id = c.organization_id and t.class_id = c.id and t.teacher_user_id = :teacherId::bigint))
       and (:principalId::bigint is null or exists (select from principal_school p
         where p.organization_id = c.organization_id and p.school_id = c.school_id
           and p.principal_user_id = :principalId::bigint))
     ${order}`,
    bindingsOf(kind, question),
  );
}

const bindingsOf = (kind: string, { now, after, ...question }: OverdueQuestion) => ({
  ...{ ...question, kind, now: now.toISOString(), mostIntensiveTier },
  ...{ afterDay: after?.dueOn ?? null, afterKind: after?.kind ?? null, afterId: after?.id ?? null },
});

const storedWork =
  ({ where, select, ...work }: WorkTable): OverdueSource =>
  (_services, trx, question) =>
    readWork<OverdueRow>(
      trx,
      {
        ...work,
        where: `${where} and w.due_on < d.today
         and (:afterDay::date is null or (w.due_on, :kind::text, w.id) > (:afterDay::date, :afterKind::text, :afterId::text))`,
        select: `w.due_on, ${select}`,
        order: 'order by w.due_on, w.id limit :most',
      },
      question,
    );

const alertWork = storedWork({
  ...{ kind: 'alert', table: 'rti_alert', where: "w.state = 'open'" },
  select: 'false as needs_specialist',
});

const packetWork = storedWork({
  ...{ kind: 'packet', table: 'decision_packet', where: "w.status = 'under_review'" },
  select: `coalesce(:mostIntensiveTier::integer in (w.from_tier, (w.recommendation ->> 'toTier')::integer), false)
    as needs_specialist`,
});

type PlanRow = Omit<OverdueRow, 'dueOn'> & Parameters<typeof planOf>[0];

/**
 * The end of a plan follows from the calendar of today, so it is computed for the plans that could have ended: a week plans at
 * most the weekly sessions. The first condition is that of an index; local days are at most one day ahead of UTC.
 */
const planWork: OverdueSource = async (services, trx, question) => {
  const rows = await readWork<PlanRow>(
    trx,
    {
      ...{ kind: 'plan', table: 'bundle_assignment' },
      where: `w.state = 'active'
        and coalesce(w.weeks_from, w.start_on) + (w.planned_weeks - 1) * 7 <= (:now::timestamptz at time zone 'UTC')::date
        and coalesce(w.weeks_from, w.start_on) + (w.planned_weeks - 1) * 7 < d.today`,
      select: `w.state, w.start_on, w.weeks_from, w.sessions_per_week, w.planned_weeks, w.pauses, w.ended_on,
        false as needs_specialist`,
    },
    question,
  );
  if (rows.length === 0) return [];
  const { settings } = interventionRules((await services.rules.at(trx, question.now)).rules);
  const dated = rows.flatMap((row): OverdueRow[] => {
    const calendar = schoolCalendar(row.weekend, row.holidays);
    const dueOn = planEndsOn(planOf(row, noDeliveries), calendar, settings.instructionalWeekDays);
    return dueOn !== null && dueOn < row.today ? [{ ...row, dueOn }] : [];
  });
  const { after, most } = question;
  return dated
    .filter((row) => after === null || inOrderOfList(row, after) > 0)
    .sort(inOrderOfList)
    .slice(0, most);
};

const noDeliveries: ReadonlyMap<string, readonly string[]> = new Map();

type Position = Pick<OverdueRow, 'dueOn' | 'id'> & { readonly kind: string };

/** The longest due first. */
export const inOrderOfList = (one: Position, other: Position): number =>
  compare(one.dueOn, other.dueOn) || compare(one.kind, other.kind) || compare(one.id, other.id);

export const overdueSources: readonly OverdueSource[] = [alertWork, packetWork, planWork];
