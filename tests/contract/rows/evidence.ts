// Creates evidence that may be voided, and a void, with SQL.
import { newId } from '#core/platform/ids.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { UserRow } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';
import { finishedSession } from './diagnostics.ts';
import { openReading } from './readings.ts';

/** Creates a scored reading of a student of grade 1. */
export async function scoredReading(app: TestApp, student: UserRow): Promise<string> {
  const id = await openReading(app, student);
  const stoppedAt = app.clock.now();
  await app.database
    .owner('orf_assessment')
    .where({ id })
    .update({
      ...{ status: 'SCORED', stoppedAt, readOn: localDate(stoppedAt, 'Asia/Riyadh'), stopReason: 'time_up' },
      ...{ elapsedSeconds: 60, lastWordIndex: 9, verdict: 'approaching', wcpm: 10, accuracy: 1 },
      ...{ wordsAttempted: 10, wordsCorrect: 10, errors: 0, selfCorrections: 0 },
    });
  return id;
}

export async function paperProbe({ database, clock }: TestApp, student: UserRow): Promise<number> {
  const [row] = await database
    .owner('cbm_probe')
    .insert({
      ...{ organizationId: student.organizationId, studentId: student.id, measureCode: 'ORF_WCPM' },
      ...{ formFamily: 'ORF-G1', schoolYear: '2025-2026', passageId: 'ORF-G1-01', wordsAttempted: 10, errors: 0 },
      ...{ administeredOn: localDate(clock.now(), 'Asia/Riyadh'), elapsedSeconds: 60, score: 10 },
      recordedAt: clock.now(),
    })
    .returning('id');
  return row.id;
}

export async function endedQueue(app: TestApp, student: UserRow): Promise<string> {
  const id = newId();
  await app.database.owner('practice_queue').insert({
    ...{ id, organizationId: student.organizationId, schoolYear: '2025-2026', studentId: student.id },
    ...{ diagnosticSessionId: await finishedSession(app, student), status: 'COMPLETED', gradeBand: 'G12' },
    ...{ targets: '[]', seenItemIds: [], itemBudget: 10, pinned: '{"bankVersion": "BANK@1"}' },
    ...{ seededAt: app.clock.now(), endedAt: app.clock.now() },
  });
  return id;
}

/** A void of a reading by the teacher. */
export async function standingVoid(app: TestApp, student: UserRow, byUserId: number): Promise<number> {
  const [row] = await app.database
    .owner('evidence_void')
    .insert({
      ...{ organizationId: student.organizationId, studentId: student.id, kind: 'orf', reasonCode: 'disturbed' },
      ...{ refId: await scoredReading(app, student), at: app.clock.now(), byUserId },
    })
    .returning('id');
  return row.id;
}
