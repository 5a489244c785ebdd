// The due days of open alerts.
import { newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type EnrollmentContext, enrollmentContexts, schoolCalendar } from '../../interventions/index.ts';
import { changeAlert } from '../alerts/change.ts';
import { shownStage } from '../engine/due/due-days.ts';
import { type DueState, followedState } from '../engine/due/follow.ts';
import { alertStageCame } from '../events.ts';
import { RtiAlert } from '../rows/alerts.ts';
import { type AlertDueFacts, alertDueFacts, countedFrom, isHeld } from './alert-facts.ts';
import type { DueItem, DueSource } from './daily.ts';
import type { DueRun } from './start.ts';

interface DueAlert extends DueItem {
  readonly row: RtiAlert;
}

export const dueAlerts: DueSource<DueAlert> = {
  name: 'an alert',
  async studentsAfter(trx, organizationId, after, limit) {
    const rows = await rowsOf<{ studentId: number }>(
      trx,
      `select a.student_id from rti_alert a
       where a.organization_id = :organizationId and a.state = 'open' and a.student_id > :after
       order by a.student_id limit :limit`,
      { organizationId, after, limit },
    );
    return rows.map(({ studentId }) => studentId);
  },
  async items(trx, run, studentIds, now) {
    const { organizationId } = run;
    if (studentIds.length === 0) return [];
    const rows = await RtiAlert.query(trx)
      .where({ organizationId, state: 'open' })
      .whereIn('studentId', [...studentIds]);
    const facts = await alertDueFacts(trx, organizationId, studentIds);
    const contexts = await contextsOf(trx, organizationId, studentIds);
    return rows.flatMap((row) => {
      const [known, context] = [facts.get(row.id), contexts.get(row.studentId)];
      return known && context ? listed(row, known, context, run, now) : [];
    });
  },
  write: (trx, { row }, state) => changeAlert(trx, row, { ...state }),
  told: ({ row, next }, to) =>
    newEvent(alertStageCame, row.organizationId, {
      ...{ studentId: row.studentId, alertId: row.id, kind: row.kind, subSkillCode: row.subSkillCode },
      ...{ dueAt: row.dueAt, stage: shownStage(next.stage), to },
    }),
};

async function contextsOf(trx: Trx, organizationId: string, studentIds: readonly number[]) {
  const contexts = await enrollmentContexts(trx, organizationId, studentIds);
  return new Map(contexts.map((context) => [context.studentId, context]));
}

/** None for a student between classes. */
function listed(
  row: RtiAlert,
  facts: AlertDueFacts,
  { schoolId, timeZone, weekend, holidays }: EnrollmentContext,
  run: DueRun,
  now: Date,
): DueAlert[] {
  if (schoolId === null) return [];
  const { id, studentId, dueFrom, dueOn, stage, toldStage, adminsTold } = row;
  const state: DueState = { dueFrom, dueOn, stage, toldStage, adminsTold };
  const today = localDate(now, timeZone);
  const next = followedState({
    ...{ state, today, days: run.due[row.kind], calendar: schoolCalendar(weekend, holidays) },
    ...{ from: countedFrom(row, facts, run.firstRunAt, timeZone), isHeld: isHeld(row, facts) },
  });
  return [{ id, studentId, schoolId, today, state, next, row }];
}
