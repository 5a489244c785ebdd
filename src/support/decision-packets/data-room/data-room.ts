// Everything about one student's support on one page. Nothing is written.
import type { Static } from 'typebox';
import { countVoids, newestSeries } from '#assessment/measurement/index.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { fidelityTracker } from '../../fidelity/index.ts';
import { BundleAssignment, enrollmentContexts } from '../../interventions/index.ts';
import { presentRtiAlert, readAdvice, tierMovementsOf } from '../../rti/index.ts';
import { countEvidence } from '../evidence/list.ts';
import { type PacketCall, type PacketStudentNow, studentNow } from '../packets/packet-context.ts';
import { openPacketsOf } from '../rows/queries.ts';
import { phasesOf } from './phases.ts';
import type { DataRoomView } from './schemas.ts';

type View = Static<typeof DataRoomView>;

export async function dataRoom(asked: PacketCall, student: StudentInScope): Promise<View> {
  const { services, trx, now } = asked;
  const { id: studentId, organizationId } = student;
  const present = await studentNow(asked, { organizationId, studentId });
  const { situation, found } = present;
  const { outcome, profileCode, modifiers } = situation.profile;
  const { tier, tierSince, weeksInTier, openAlert } = situation;
  const { pooled, assignments } = await fidelityTracker({ services, trx, now }, student);
  return {
    ...{ studentId, asOf: now.toISOString(), profile: { outcome, profileCode, modifiers: [...modifiers] } },
    ...{ tier, tierSince, weeksInTier },
    openAlert: openAlert && presentRtiAlert(openAlert, { situation, rules: found.rules, now }),
    recommendation: await readAdvice(services, trx, student, now),
    fidelity: pooled,
    trends: await trendsOf(asked, student, present),
    assignments,
    openPackets: await packetsOf(asked, student),
    evidenceCounts: await countEvidence(trx, student),
    voidedEvidence: await countVoids(trx, student),
    phases: await phases(asked, student, present),
  };
}

/** Measures with series. */
const measures = ['ORF_WCPM'] as const;

/** Trends of the series that began in this school year. */
async function trendsOf({ trx, now }: PacketCall, student: StudentInScope, { found, situation }: PacketStudentNow) {
  const { id: studentId, organizationId, timeZone } = student;
  const year = schoolYearOf(now.toISOString(), timeZone, found.rules.skills.catalogue.schoolYearStart);
  const asked = [{ studentId, yearFrom: localDate(new Date(year.from), timeZone), asOf: situation.today }];
  const trends: View['trends'] = [];
  for (const measure of measures) {
    const series = (await newestSeries(trx, found.bundle, organizationId, measure, asked)).get(studentId);
    if (series) trends.push({ measure, trendType: series.trendType, points: series.monitoredOn.length });
  }
  return trends;
}

async function packetsOf({ trx }: PacketCall, { organizationId, id }: StudentInScope): Promise<View['openPackets']> {
  const rows = await openPacketsOf(trx, organizationId, id);
  return rows.map(({ id: packetId, reviewType, status }) => ({ packetId, reviewType, status }));
}

async function phases(
  { trx }: PacketCall,
  { organizationId, id }: StudentInScope,
  { situation: { today } }: PacketStudentNow,
) {
  const [enrollment] = await enrollmentContexts(trx, organizationId, [id]);
  const assignments = await BundleAssignment.query(trx)
    .where({ organizationId, studentId: id })
    .orderBy(['startOn', 'id']);
  return phasesOf({
    enrolledOn: enrollment?.enrolledSince ?? null,
    movements: await tierMovementsOf(trx, organizationId, id),
    assignments: assignments.map(({ bundleId: bundle_id, startOn, endedOn }) => ({ bundle_id, startOn, endedOn })),
    today,
  });
}
