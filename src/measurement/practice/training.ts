// What practice adds to the picture of a student's error patterns: answers, and the hints that were given.

import type { Trx } from '../../platform/db.ts';
import type { TrainingYear } from '../services.ts';
import type { Delivery, TrainingAnswer } from '../training.ts';

/** Answers of the year's queues, oldest first; skipped items are none. An item is served once in a queue. */
export async function practiceAnswers(
  trx: Trx,
  { organizationId, studentId, schoolYear }: TrainingYear,
): Promise<TrainingAnswer[]> {
  const rows: Omit<TrainingAnswer, 'attempt'>[] = await trx('practice_response as r')
    .join('practice_served_item as i', (on) =>
      on.on('i.organizationId', 'r.organizationId').andOn('i.queueId', 'r.queueId').andOn('i.seq', 'r.seq'),
    )
    .join('practice_queue as q', (on) => on.on('q.organizationId', 'r.organizationId').andOn('q.id', 'r.queueId'))
    .where({ 'q.organizationId': organizationId, 'q.studentId': studentId, 'q.schoolYear': schoolYear })
    .where({ 'r.skipped': false })
    .orderBy(['q.seq', 'r.seq'])
    .select(
      'r.selectedOptionIndex',
      'r.correct',
      'r.latencyMs',
      'r.receivedAt',
      'i.itemId',
      { sessionId: 'q.id', startedAt: 'q.seededAt' },
      trx.raw("q.pinned->>'bankVersion' as bank_version"),
    );
  return rows.map((row) => ({ ...row, attempt: 'first' }));
}

/** Hints that came with items of the year's queues, oldest first. */
export async function practiceDeliveries(
  trx: Trx,
  { organizationId, studentId, schoolYear }: TrainingYear,
): Promise<Delivery[]> {
  return trx('practice_served_item as i')
    .join('practice_queue as q', (on) => on.on('q.organizationId', 'i.organizationId').andOn('q.id', 'i.queueId'))
    .where({ 'q.organizationId': organizationId, 'q.studentId': studentId, 'q.schoolYear': schoolYear })
    .whereNotNull('i.hintPatternKey')
    .orderBy(['i.servedAt', 'i.id'])
    .select({ patternKey: 'i.hintPatternKey', sessionId: 'q.id', at: 'i.servedAt' });
}
