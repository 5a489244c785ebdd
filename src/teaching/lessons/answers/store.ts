// The rows of answers: the first of a student to an item of a session, and each client's id once a session.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { AnswerWay } from '../enums.ts';
import type { SessionRow } from '../rows/store.ts';

export interface SessionResponse {
  readonly studentId: number;
  readonly clientResponseId: string;
  readonly itemRef: string;
  readonly subSkillCode: string;
  readonly taskType: string;
  readonly selectedOptionIndex: number;
  readonly correct: boolean;
  readonly supportUsed: boolean;
}

type OfSession = Pick<SessionRow, 'organizationId' | 'id' | 'schoolYear'>;

/** In the order in which they came. */
export const responsesOf = (
  trx: Trx,
  { organizationId, id: sessionId, schoolYear }: OfSession,
): Promise<SessionResponse[]> =>
  rowsOf(
    trx,
    `select student_id, client_response_id, item_ref, sub_skill_code, task_type, selected_option_index, correct, support_used
     from session_response
     where organization_id = :organizationId and session_id = :sessionId and school_year = :schoolYear order by id`,
    { organizationId, sessionId, schoolYear },
  );

export interface Sent {
  readonly way: AnswerWay;
  /** User id: the student, or the teacher whose device held the answers. */
  readonly sentBy: number;
  readonly now: Date;
}

/** Answers how many were new: a client's id that was there, or a second answer to an item, adds nothing. */
export async function appendResponses(
  trx: Trx,
  { organizationId, id: sessionId, schoolYear }: OfSession,
  responses: readonly SessionResponse[],
  { way, sentBy, now }: Sent,
): Promise<number> {
  if (responses.length === 0) return 0;
  const rows = responses.map((response) => ({
    ...{ organizationId, schoolYear, sessionId, ...response },
    ...{ way, sentBy, receivedAt: now.toISOString() },
  }));
  const written: unknown[] = await trx('session_response').insert(rows).onConflict().ignore().returning('id');
  return written.length;
}
