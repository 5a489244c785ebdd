// The due days of packets under review: counted from the day on which each came under review, however often it was assembled.
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type EnrollmentContext, enrollmentContexts, schoolCalendar } from '../../interventions/index.ts';
import {
  type DueItem,
  type DueRun,
  type DueSource,
  type DueState,
  followedState,
  type RtiRules,
  type RtiSituation,
  undueState,
} from '../../rti/index.ts';
import { packetStage } from '../events.ts';
import { changePacket, DecisionPacket } from '../rows/store.ts';

/** When a packet comes under review. */
export function dueWhenReviewed({ settings }: RtiRules, { today, calendar }: RtiSituation): DueState {
  const days = settings.due?.packet;
  if (days === undefined) return undueState;
  return followedState({ state: undueState, from: today, days, isHeld: false, calendar, today });
}

interface DuePacket extends DueItem {
  readonly row: DecisionPacket;
}

export const duePackets: DueSource<DuePacket> = {
  name: 'a packet',
  async studentsAfter(trx, organizationId, after, limit) {
    const rows = await rowsOf<{ studentId: number }>(
      trx,
      `select distinct p.student_id from decision_packet p
       where p.organization_id = :organizationId and p.status = 'under_review' and p.student_id > :after
       order by p.student_id limit :limit`,
      { organizationId, after, limit },
    );
    return rows.map(({ studentId }) => studentId);
  },
  async items(trx, run, studentIds, now) {
    const { organizationId } = run;
    if (studentIds.length === 0) return [];
    const rows = await DecisionPacket.query(trx)
      .where({ organizationId, status: 'under_review' })
      .whereIn('studentId', [...studentIds]);
    const contexts = await enrollmentContexts(trx, organizationId, studentIds);
    const byStudent = new Map(contexts.map((context) => [context.studentId, context]));
    return rows.flatMap((row) => {
      const context = byStudent.get(row.studentId);
      return context ? listed(row, context, run, now) : [];
    });
  },
  write: (trx, { row }, state) => changePacket(trx, row, { ...state }),
  told: ({ row }, to) => (to === 'teachers' ? packetStage(row, 'packet_waiting') : packetStage(row, 'overdue', to)),
};

/** None for a student between classes. */
function listed(
  row: DecisionPacket,
  { schoolId, timeZone, weekend, holidays }: EnrollmentContext,
  run: DueRun,
  now: Date,
): DuePacket[] {
  if (schoolId === null) return [];
  const { id, studentId, dueFrom, dueOn, stage, toldStage, adminsTold, reviewedSince } = row;
  const state: DueState = { dueFrom, dueOn, stage, toldStage, adminsTold };
  const days = [run.firstRunAt, reviewedSince ?? run.firstRunAt].map((at) => localDate(new Date(at), timeZone));
  const today = localDate(now, timeZone);
  const next = followedState({
    ...{ state, today, from: days.toSorted().at(-1) ?? today, days: run.due.packet, isHeld: false },
    calendar: schoolCalendar(weekend, holidays),
  });
  return [{ id, studentId, schoolId, today, state, next, row }];
}
