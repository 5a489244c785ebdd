// Reads scored oral readings as evidence of text fluency, compared with the benchmark with which each was started.
import type { Trx } from '#core/platform/db.ts';
import { type OrfAssessment, orfEvidence as unitsOf } from './engine/facts.ts';
import type { EvidenceReader, EvidenceRequest } from './reader.ts';
import { endedIn, joinedWindows } from './windows.ts';

export const orfEvidence: EvidenceReader = async (trx, request) => {
  const readingsIn = endedIn(await scoredReadings(trx, request));
  return (window, rules) =>
    readingsIn(window).map((reading) => ({ ...unitsOf(reading, rules), provisionalSubSkills: [] }));
};

/** A reading ends when it is stopped. */
interface ScoredReading extends OrfAssessment {
  readonly studentId: number;
}

/** Reads each reading once, even when several windows contain it; oldest first. */
async function scoredReadings(trx: Trx, { organizationId, students }: EvidenceRequest): Promise<ScoredReading[]> {
  const windows = joinedWindows(students);
  const bindings = [
    windows.map(({ studentId }) => studentId),
    windows.map(({ from }) => from),
    windows.map(({ to }) => to),
  ];
  return trx('orf_assessment as a')
    .joinRaw(
      `join unnest(?::bigint[], ?::timestamptz[], ?::timestamptz[]) as w (student_id, opens, closes)
        on w.student_id = a.student_id and a.stopped_at between w.opens and w.closes`,
      bindings,
    )
    .where({ 'a.organizationId': organizationId, 'a.status': 'SCORED' })
    .orderBy(['a.stoppedAt', 'a.id'])
    .select({ studentId: 'a.studentId', assessmentId: 'a.id', endedAt: 'a.stoppedAt', verdict: 'a.verdict' });
}
