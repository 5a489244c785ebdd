// The evidence of students that keeps a roll-over from being undone, and what they have only started.
import { lockRows } from '#core/platform/locks.ts';
import type { RollOverGuard } from '#identity/people/index.ts';
import { DiagnosticSession } from './diagnostics/store.ts';
import { type AnswerSource, answersSql } from './evidence/transcript.ts';
import { OrfAssessment } from './fluency/store.ts';
import { PracticeQueue } from './practice/store.ts';
import { WarmupSession } from './warmup/store.ts';

const own = 's.organization_id = :organizationId and s.student_id = any(:studentIds::bigint[])';

/** SQL of the students with an answer in a table of a kind of session since the roll-over. */
const answered = (sessions: string, table: string, key: string, answer: string): string =>
  `select s.student_id from ${sessions} s
   join ${table} r on r.organization_id = s.organization_id and r.school_year = s.school_year and r.${key} = s.id
   where ${own} and ${answer} >= :since::timestamptz`;

/** SQL of the students with a response since the roll-over. */
const responded = (sessions: string, source: AnswerSource): string =>
  `select s.student_id from ${sessions} s
   where ${own} and exists (select ${answersSql(source)} and r.received_at >= :since::timestamptz)`;

export const evidenceSinceRollOver: RollOverGuard = {
  async lock(trx, { organizationId, studentIds }) {
    const ids = [...studentIds];
    const diagnostics = DiagnosticSession.query(trx).where({ organizationId }).whereIn('studentId', ids);
    await lockRows('diagnostic', 'change', diagnostics.whereIn('status', ['IN_PROGRESS', 'PAUSED']).orderBy('id'));
    const queues = PracticeQueue.query(trx).where({ organizationId }).whereIn('studentId', ids);
    await lockRows('practice', 'change', queues.where({ status: 'ACTIVE' }).orderBy('id'));
    const warmups = WarmupSession.query(trx).where({ organizationId }).whereIn('studentId', ids);
    await lockRows('warmup', 'change', warmups.whereIn('status', ['RUNNING', 'PAUSED']).orderBy('id'));
    const readings = OrfAssessment.query(trx).where({ organizationId }).whereIn('studentId', ids);
    await lockRows('reading', 'change', readings.where({ status: 'OPEN' }).orderBy('id'));
  },
  evidence: [
    responded('diagnostic_session', 'diagnostic'),
    responded('practice_queue', 'practice'),
    answered('warmup_session', 'warmup_event', 'session_id', "r.type = 'answer' and r.received_at"),
    answered('orf_assessment', 'orf_mark', 'assessment_id', 'r.marked_at'),
    `select s.student_id from orf_assessment s where ${own} and s.status = 'SCORED' and s.stopped_at >= :since::timestamptz`,
    `select s.student_id from cbm_probe s where ${own} and s.recorded_at >= :since::timestamptz`,
  ],
  async discardStarted(trx, { organizationId, studentIds, since }) {
    const ids = [...studentIds];
    await DiagnosticSession.query(trx)
      .where({ organizationId })
      .whereIn('studentId', ids)
      .whereIn('status', ['IN_PROGRESS', 'PAUSED'])
      .where('startedAt', '>=', since)
      .patch({ status: 'EXPIRED' });
    await OrfAssessment.query(trx)
      .where({ organizationId, status: 'OPEN' })
      .whereIn('studentId', ids)
      .where('startedAt', '>=', since)
      .patch({ status: 'ABANDONED' });
  },
};
