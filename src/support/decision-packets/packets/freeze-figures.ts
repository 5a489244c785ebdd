// Reads what a packet freezes for its document. The caller holds the lock of the student's support.
import { newestTrend } from '#assessment/measurement/index.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { BundleAssignment, isOpenAssignment, measureOf } from '../../interventions/index.ts';
import type { AdviceNow } from '../../rti/index.ts';
import type { PacketFigures, PacketPlan, PacketSeries } from '../rows/figures.ts';
import type { DecisionPacket } from '../rows/store.ts';
import type { PacketCall, PacketStudentNow } from './packet-context.ts';

type Packet = Pick<DecisionPacket, 'organizationId' | 'studentId'>;

export async function freezeFigures(
  call: PacketCall,
  packet: Packet,
  student: PacketStudentNow,
  { advice }: AdviceNow,
): Promise<PacketFigures> {
  const { focusRole, openAlert } = student.situation;
  const measure = measureOf(focusRole);
  const ofAlert = openAlert ? [openAlert.ruleId] : [];
  return {
    measure,
    series: measure && (await seriesOf(call, packet, student, measure)),
    plans: await openPlans(call, packet, student),
    ruleIds: [...ofAlert, advice.sufficiency.ruleId, advice.ruleId],
  };
}

/** The series that began in this school year. */
async function seriesOf(
  { trx, now }: PacketCall,
  { organizationId, studentId }: Packet,
  { found, situation: { timeZone, today } }: PacketStudentNow,
  measure: NonNullable<PacketFigures['measure']>,
): Promise<PacketSeries | null> {
  const year = schoolYearOf(now.toISOString(), timeZone, found.rules.skills.catalogue.schoolYearStart);
  const of = { studentId, yearFrom: localDate(new Date(year.from), timeZone), asOf: today };
  const trend = await newestTrend(trx, found.bundle, organizationId, measure, of);
  if (!trend) return null;
  const { baseline, goal, trendType, points } = trend;
  return {
    ...{ trendType, goal },
    baseline: baseline && { score: baseline.score, date: baseline.anchorDate },
    points: points.map(({ date, score, role, aim }) => ({ date, score, role, aim })),
  };
}

async function openPlans(
  { trx }: PacketCall,
  { organizationId, studentId }: Packet,
  { found }: PacketStudentNow,
): Promise<PacketPlan[]> {
  const rows = await BundleAssignment.query(trx)
    .where({ organizationId, studentId })
    .orderBy(['startOn', 'id'])
    .select('id', 'bundleId', 'state', 'startOn', 'currentStepNo', 'steps');
  const { byId } = found.interventions.recommendation.catalogue;
  return rows.filter(isOpenAssignment).map(({ id, bundleId, state, startOn, currentStepNo, steps }) => ({
    assignmentId: id,
    nameAr: byId.get(bundleId)?.nameAr ?? bundleId,
    ...{ state, startOn, currentStepNo },
    steps: steps.map(({ stepNo, sessionRole, plannedSessions, deliveredSessions, goalState }) => ({
      ...{ stepNo, sessionRole, plannedSessions, deliveredSessions, goalState },
    })),
  }));
}
