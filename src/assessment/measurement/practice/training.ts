// Practice as a source of error patterns: answers, and hints that were given.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { answersSql } from '../evidence/transcript.ts';
import type { TrainingYear } from '../services.ts';
import type { HintDelivery, TrainingAnswer } from '../training.ts';

/** Returns the answers of the year's queues, oldest first, without skipped items. A queue serves an item once. */
export async function practiceAnswers(
  trx: Trx,
  { organizationId, studentId, schoolYear }: TrainingYear,
): Promise<TrainingAnswer[]> {
  const rows = await rowsOf<Omit<TrainingAnswer, 'attempt'>>(
    trx,
    `select a.selected_option_index, a.correct, a.latency_ms, a.received_at, a.item_id, s.id as session_id,
       s.seeded_at as started_at, s.pinned->>'bankVersion' as bank_version
     from practice_queue s
     cross join lateral (select r.*, i.item_id ${answersSql('practice')} and not r.skipped) a
     where s.organization_id = :organizationId and s.student_id = :studentId and s.school_year = :schoolYear
     order by s.seq, a.seq`,
    { organizationId, studentId, schoolYear },
  );
  return rows.map((row) => ({ ...row, attempt: 'first' }));
}

/** Returns the hints of the year's queues, oldest first. */
export async function practiceDeliveries(
  trx: Trx,
  { organizationId, studentId, schoolYear }: TrainingYear,
): Promise<HintDelivery[]> {
  return trx('practice_served_item as i')
    .join('practice_queue as q', (on) => on.on('q.organizationId', 'i.organizationId').andOn('q.id', 'i.queueId'))
    .where({ 'q.organizationId': organizationId, 'q.studentId': studentId, 'q.schoolYear': schoolYear })
    .whereNotNull('i.hintPatternKey')
    .orderBy(['i.servedAt', 'i.id'])
    .select({ patternKey: 'i.hintPatternKey', sessionId: 'q.id', at: 'i.servedAt' });
}
