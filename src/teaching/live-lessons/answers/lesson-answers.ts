// Answers of students in live lessons, for the evaluation of the support that they need.

import { rowsOf } from '#core/platform/sql.ts';
import type { SessionAnswer, SessionAnswersReader } from '#support/interventions/index.ts';

/** Reads answers in a period. Each student has at most one answer per item of a live lesson. */
export const answersOfLiveLessons: SessionAnswersReader = (trx, { organizationId, studentIds, since, asOf }) =>
  rowsOf<SessionAnswer>(
    trx,
    `select student_id, item_ref, sub_skill_code, task_type, correct, support_used as supported from live_response
     where organization_id = :organizationId and student_id = any(:studentIds::bigint[])
       and answered_at > :since and answered_at <= :asOf`,
    { organizationId, studentIds: [...studentIds], since: since.toISOString(), asOf: asOf.toISOString() },
  );
