// What must hold on every day of the year: nothing lies past twice its due day untold, and no week is counted in the holidays.
import * as assert from 'uvu/assert';
import type { Db } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { type Calendar, sunday, weekday } from './year-calendar.ts';
import type { Hands, School } from './year-school.ts';

export interface DayWatch {
  /** Fails for what does not hold at the end of this day. */
  check(date: string, calendar: Calendar): Promise<void>;
  /** Stages that were told about alerts and packets, by recipient. */
  told(): Promise<readonly Told[]>;
}

export interface Told {
  readonly recipientUserId: number;
  readonly kind: string;
  /** The stage, or what is suggested about a plan. */
  readonly stage: string;
  /** The id of the alert, packet or plan. */
  readonly about: string;
  /** Local date. */
  readonly on: string;
}

/** School days until the due day (contract 53 §1). */
const dueDays: Readonly<Record<string, number>> = {
  ...{ acute_regression_review: 3, Intensive_Review: 10, Student_Alert: 10, tier_review_due: 5, Skill_Alert: 15 },
  packet: 5,
};
/** Kinds that a plan holds. */
const answeredByPlan = ['Student_Alert', 'Skill_Alert'];

interface Open {
  readonly id: string;
  readonly studentId: number;
  readonly kind: string;
  readonly dueOn: string | null;
}

interface Packet extends Open {
  readonly status: string;
  readonly deferUntil: string | null;
}

export function watchYear(owner: Db, hands: Hands, school: School): DayWatch {
  const { known } = hands;
  const { organizationId, principal, admin, specialists } = school;
  const admins = [admin, ...specialists].map(({ id }) => id);
  const told = async (): Promise<readonly Told[]> => {
    const rows: { recipientUserId: number; kind: string; payload: Record<string, string>; createdAt: string }[] =
      await owner('notification').where({ organizationId }).orderBy('createdAt');
    return rows.map(({ recipientUserId, kind, payload, createdAt }) => ({
      ...{ recipientUserId, kind, stage: payload.stage ?? payload.suggestionCode ?? '', on: createdAt.slice(0, 10) },
      about: payload.alertId ?? payload.reviewId ?? payload.packetId ?? payload.assignmentId ?? '',
    }));
  };
  const openAlerts = (): Promise<Open[]> =>
    owner('rti_alert').where({ organizationId, state: 'open' }).select('id', 'studentId', 'kind', 'dueOn');
  const packets = async (): Promise<Packet[]> => {
    const rows: Omit<Packet, 'kind'>[] = await owner('decision_packet').where({ organizationId }).whereNull('closedAt');
    return rows.map((row) => ({ ...row, kind: 'packet' }));
  };

  /** Fails for an open alert or waiting packet past its due day of which those whose turn it is were not told. */
  function checkTold(date: string, calendar: Calendar, one: Open, messages: readonly Told[]): void {
    if (one.dueOn === null) return;
    const n = dueDays[one.kind] ?? Number.NaN;
    const about = messages.filter(({ about: id }) => id === one.id);
    const since = calendar.schoolDay(one.dueOn, -n);
    const isTold = (stages: readonly string[], to?: readonly number[]) =>
      about.some(
        ({ stage, recipientUserId, on }) =>
          stages.includes(stage) && on >= since && (to === undefined || to.includes(recipientUserId)),
      );
    const what = `${date}: ${one.kind} of ${one.studentId}, due on ${one.dueOn}`;
    if (date >= one.dueOn) assert.ok(isTold(['reminder', 'packet_waiting', 'overdue']), `${what}, no reminder`);
    if (date >= calendar.schoolDay(one.dueOn, n)) assert.ok(isTold(['overdue'], [principal.id]), `${what}, principal`);
    if (date >= calendar.schoolDay(one.dueOn, 2 * n)) assert.ok(isTold(['overdue'], admins), `${what}, administrators`);
  }

  /** Fails for an alert that nothing holds and that has no due day. */
  async function checkHeld({ studentId, kind, dueOn }: Open, waiting: readonly { studentId: number }[]): Promise<void> {
    if (dueOn !== null || waiting.some((packet) => packet.studentId === studentId)) return;
    const plan = await owner('bundleAssignment')
      .where({ organizationId, studentId })
      .whereIn('state', ['scheduled', 'active'])
      .first();
    assert.ok(answeredByPlan.includes(kind) && plan, `${kind} of ${studentId} has no due day, and nothing holds it`);
  }

  /** Fails where the list of overdue work is not what is open past its due day. Returns it. */
  async function checkList(date: string, open: readonly Open[], plans: readonly Plan[]): Promise<readonly Listed[]> {
    const { items } = await hands.get<{ items: readonly Listed[] }>(admin, '/api/rti/overdue?limit=100');
    const due = open.filter(({ dueOn }) => dueOn !== null && dueOn < date).map(({ id }) => id);
    const past = plans.filter(({ endsOn }) => endsOn !== null && endsOn < date).map(({ assignmentId }) => assignmentId);
    assert.equal(items.map(({ id }) => id).toSorted(), [...due, ...past].toSorted(), `${date}: overdue work`);
    return items;
  }

  async function activePlans(): Promise<readonly Plan[]> {
    const rows: { id: string }[] = await owner('bundle_assignment').where({ organizationId, state: 'active' });
    const plans: Plan[] = [];
    for (const { id } of rows) plans.push(await hands.get<Plan>(admin, `/api/bundle-assignments/${id}`));
    return plans;
  }

  /** Fails for a plan that is past its end for four whole weeks, or whose end was told to nobody. */
  function checkEnd(date: string, calendar: Calendar, { assignmentId, endsOn }: Plan, messages: readonly Told[]): void {
    assert.is.not(endsOn, null, `${date}: ${assignmentId} has no end`);
    if (endsOn === null || endsOn >= date) return;
    const weeks = calendar.weeks(daysAfter(endsOn, 1), date);
    assert.ok(weeks < 4, `${date}: ${assignmentId} should have ended on ${endsOn}`);
    const isTold = messages.some(({ about, stage }) => about === assignmentId && stage === 'plan_overdue');
    assert.ok(isTold, `${date}: nobody knows that ${assignmentId} should have ended on ${endsOn}`);
  }

  /** Fails for a class whose week leaves out a child without measurements or in a halt. */
  async function checkClass(
    date: string,
    { id, studentIds }: { readonly id: number; readonly studentIds: readonly number[] },
    alerts: readonly Open[],
    overdue: readonly Listed[],
  ): Promise<void> {
    const week = await hands.get<ClassWeek>(admin, `/api/classes/${id}/week`);
    const own = (ids: ReadonlySet<number>) => studentIds.filter((studentId) => ids.has(studentId)).toSorted(ascending);
    const never = studentIds.filter((studentId) => !known.measured.has(studentId)).toSorted(ascending);
    assert.equal(week.neverMeasured.toSorted(ascending), never, `${date}: never measured`);
    assert.equal(week.halted.toSorted(ascending), own(known.halted), `${date}: halted`);
    const open = alerts.filter(({ studentId }) => studentIds.includes(studentId)).length;
    const past = overdue.filter(({ studentId }) => studentIds.includes(studentId)).length;
    assert.equal([week.alertsOpen, week.overdue], [open, past], `${date}: alerts and overdue work of the class`);
  }

  /** Classes with students, and those. */
  async function classes(): Promise<readonly { readonly id: number; readonly studentIds: readonly number[] }[]> {
    const rows: { classId: number; studentId: number }[] = await owner('enrollment')
      .where({ organizationId })
      .whereNull('enrolledTo');
    return [...new Set(rows.map(({ classId }) => classId))].map((id) => ({
      id,
      studentIds: rows.filter(({ classId }) => classId === id).map(({ studentId }) => studentId),
    }));
  }

  /** By student: the date of the newest movement. */
  async function tiersSince(): Promise<ReadonlyMap<number, string>> {
    const movements: { studentId: number; effectiveOn: string }[] = await owner('tier_movement')
      .where({ organizationId })
      .orderBy('committedAt');
    return new Map(movements.map(({ studentId, effectiveOn }) => [studentId, effectiveOn]));
  }

  /** Fails where the weeks in a tier are not those of the calendar. */
  async function checkWeeks(
    date: string,
    calendar: Calendar,
    classId: number,
    since: ReadonlyMap<number, string>,
  ): Promise<void> {
    const { items } = await hands.get<{ items: readonly OnBoard[] }>(admin, `/api/rti/classes/${classId}/board`);
    for (const { studentId, weeksInTier } of items) {
      const from = since.get(studentId);
      if (from !== undefined) assert.is(weeksInTier, calendar.weeks(from, date), `${date}: weeks of ${studentId}`);
    }
  }

  return {
    told,
    async check(date, calendar) {
      const [alerts, waiting, messages] = [await openAlerts(), await packets(), await told()];
      const reviewed = waiting.filter(({ status }) => status === 'under_review');
      for (const one of [...alerts, ...reviewed]) checkTold(date, calendar, one, messages);
      for (const alert of alerts) await checkHeld(alert, waiting);
      for (const { deferUntil } of waiting) assert.ok(deferUntil === null || deferUntil > date, 'a deferral has ended');
      const plans = await activePlans();
      for (const plan of plans) checkEnd(date, calendar, plan, messages);
      const overdue = await checkList(date, [...alerts, ...reviewed], plans);
      const since = await tiersSince();
      for (const one of await classes()) {
        await checkClass(date, one, alerts, overdue);
        // Weeks end on Saturdays.
        if (weekday(date) === sunday) await checkWeeks(date, calendar, one.id, since);
      }
    },
  };
}

interface Listed {
  readonly id: string;
  readonly studentId: number;
}

interface Plan {
  readonly assignmentId: string;
  readonly endsOn: string | null;
}

interface ClassWeek {
  readonly neverMeasured: readonly number[];
  readonly halted: readonly number[];
  readonly alertsOpen: number;
  readonly overdue: number;
}

const ascending = (one: number, other: number): number => one - other;

interface OnBoard {
  readonly studentId: number;
  readonly weeksInTier: number;
}
