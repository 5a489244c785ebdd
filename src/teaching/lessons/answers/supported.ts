// What students answered in blueprint sessions, for whoever looks at how much support is needed.

import { rowsOf } from '#core/platform/sql.ts';
import type { SessionAnswer, SessionAnswersReader } from '#support/interventions/index.ts';

/** A student answers an item of a session once. */
export const answersOfSessions: SessionAnswersReader = (trx, { organizationId, studentIds, since, asOf }) =>
  rowsOf<SessionAnswer>(
    trx,
    `select student_id, item_ref, sub_skill_code, task_type, correct, support_used as supported from session_response
     where organization_id = :organizationId and student_id = any(:studentIds::bigint[])
       and received_at > :since and received_at <= :asOf`,
    { organizationId, studentIds: [...studentIds], since: since.toISOString(), asOf: asOf.toISOString() },
  );
