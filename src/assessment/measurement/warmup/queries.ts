// Queries of diagnostics for warm-ups, and of warm-ups for other code.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { accountsIn, voidIn } from '../evidence/corrections/in-statements.ts';
import type { WarmupTarget } from './engine/plan.ts';
import { type AnswerEvent, type TimedAnswer, timedAnswers } from './engine/training.ts';

/** Returns the newest theta of each sub-skill in a school year, by code. */
export const storedThetas = (
  trx: Trx,
  { organizationId, id: studentId }: { readonly organizationId: string; readonly id: number },
  schoolYear: string,
): Promise<WarmupTarget[]> =>
  rowsOf(
    trx,
    `select distinct on (e.sub_skill_code) e.sub_skill_code, e.theta
     from diagnostic_session s
     join diagnostic_estimate e on e.organization_id = s.organization_id and e.session_id = s.id
     where s.organization_id = :organizationId
       and s.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: ':studentId' })})
       and s.school_year = :schoolYear and s.status = 'FINISHED' and e.theta is not null
       and ${voidIn({ kind: 'diagnostic', organizationId: ':organizationId', refId: 's.id' })} is null
     order by e.sub_skill_code, s.finished_at desc, s.id desc`,
    { organizationId, studentId, schoolYear },
  );

/** An answer of a TRAINING warm-up. Its item is in the bank `bankVersion`. */
export interface TrainingAnswer extends TimedAnswer {
  readonly sessionId: string;
  /** ISO 8601 instant of the session's start. */
  readonly startedAt: string;
  /** `content/item-bank@1` */
  readonly bankVersion: string;
}

/**
 * Returns the answers of a student in the TRAINING warm-ups of a school year, oldest session first, in the order given.
 * They are evidence of patterns, never of ability.
 */
export async function trainingAnswers(trx: Trx, studentId: number, schoolYear: string): Promise<TrainingAnswer[]> {
  const rows = await trainingEvents(trx, studentId, schoolYear);
  const sessions = new Map(rows.map((row) => [row.sessionId, row]));
  return [...sessions.values()].flatMap(({ sessionId, startedAt, bankVersion }) =>
    timedAnswers(rows.filter((row) => row.sessionId === sessionId)).map((answer) => ({
      ...answer,
      sessionId,
      startedAt,
      bankVersion,
    })),
  );
}

interface TrainingEvent extends AnswerEvent {
  readonly sessionId: string;
  readonly startedAt: string;
  readonly bankVersion: string;
}

async function trainingEvents(trx: Trx, studentId: number, schoolYear: string): Promise<TrainingEvent[]> {
  return trx('warmup_event as e')
    .join('warmup_session as s', (on) => on.on('s.organizationId', 'e.organizationId').andOn('s.id', 'e.sessionId'))
    .where({ 's.studentId': studentId, 's.schoolYear': schoolYear, 's.sessionType': 'TRAINING' })
    .whereIn('e.type', ['answer', 'skip'])
    .orderBy(['s.startedAt', 's.id', 'e.seq'])
    .select(
      'e.sessionId',
      's.startedAt',
      'e.type',
      'e.atMs',
      'e.itemId',
      'e.selectedOptionIndex',
      'e.correct',
      'e.receivedAt',
      trx.raw("s.pinned->>'bankVersion' as bank_version"),
    );
}
