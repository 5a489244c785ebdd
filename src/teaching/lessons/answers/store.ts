// Rows of answers. Unique per lesson are a student's answer to an item (the first counts) and the client's id.

import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { AnswerWay } from '../enums.ts';
import type { LessonRow } from '../rows/store.ts';

export interface LessonResponse {
  readonly studentId: number;
  readonly clientResponseId: string;
  readonly itemRef: string;
  readonly subSkillCode: string;
  readonly taskType: string;
  readonly selectedOptionIndex: number;
  readonly correct: boolean;
  readonly supportUsed: boolean;
}

interface StoredLessonResponse extends LessonResponse {
  readonly id: number;
  readonly organizationId: string;
  readonly schoolYear: string;
  readonly sessionId: string;
  readonly way: AnswerWay;
  readonly sentBy: number;
  readonly receivedAt: string;
}

const SessionResponse = modelOf<StoredLessonResponse>('session_response', {
  id: ['organizationId', 'id', 'schoolYear'],
});

type LessonKey = Pick<LessonRow, 'organizationId' | 'id' | 'schoolYear'>;

/** Returns the answers in the order of arrival. */
export const lessonResponsesOf = (
  trx: Trx,
  { organizationId, id: sessionId, schoolYear }: LessonKey,
): Promise<LessonResponse[]> =>
  rowsOf(
    trx,
    `select student_id, client_response_id, item_ref, sub_skill_code, task_type, selected_option_index, correct, support_used
     from session_response
     where organization_id = :organizationId and session_id = :sessionId and school_year = :schoolYear order by id`,
    { organizationId, sessionId, schoolYear },
  );

export interface Submission {
  readonly way: AnswerWay;
  /** User id of the student, or of the teacher whose device sent the answers. */
  readonly sentBy: number;
  readonly now: Date;
}

/** Returns the number of new answers: a known client id and a second answer to an item are ignored. */
export async function appendLessonResponses(
  trx: Trx,
  { organizationId, id: sessionId, schoolYear }: LessonKey,
  responses: readonly LessonResponse[],
  { way, sentBy, now }: Submission,
): Promise<number> {
  if (responses.length === 0) return 0;
  const rows = responses.map((response) => ({
    organizationId,
    schoolYear,
    sessionId,
    ...response,
    way,
    sentBy,
    receivedAt: now.toISOString(),
  }));
  const inserted = SessionResponse.query(trx).insert(rows).onConflict().ignore().returning('id');
  const written = await inserted.toKnexQuery();
  return written.length;
}
