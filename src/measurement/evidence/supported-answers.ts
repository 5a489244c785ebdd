// Answers of a window with what the child was given for them, for whoever looks at how much support is needed: finished
// diagnostics, and practice in every state.
import type { Trx } from '../../platform/db.ts';
import { rowsOf } from '../../platform/sql.ts';

/** `since` excluded, `asOf` included. */
export interface AnswersRequest {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly since: Date;
  readonly asOf: Date;
}

/** What a student answered in one session, each item once; skipped items are none. In no order. */
export interface SupportedAnswers {
  readonly studentId: number;
  /** `content/item-bank@1` */
  readonly bankVersion: string;
  readonly itemIds: readonly string[];
  readonly subSkillCodes: readonly string[];
  readonly corrects: readonly boolean[];
  /** Help came with the item, or was taken. */
  readonly supported: readonly boolean[];
}

export type SupportedAnswersReader = (trx: Trx, request: AnswersRequest) => Promise<SupportedAnswers[]>;

/** An item is served once in a session, and there is no help. */
export const diagnosticAnswers: SupportedAnswersReader = (trx, request) =>
  rowsOf(
    trx,
    `select s.student_id, s.pinned->>'bankVersion' as bank_version, a.*
     from diagnostic_session s
     cross join lateral (
       select json_agg(i.item_id) as item_ids, json_agg(i.sub_skill_code) as sub_skill_codes,
           json_agg(r.correct) as corrects, json_agg(false) as supported
         from diagnostic_response r
         join diagnostic_served_item i on i.organization_id = r.organization_id and i.session_id = r.session_id
           and i.seq = r.seq
         where r.organization_id = s.organization_id and r.session_id = s.id and not r.skipped
           and r.received_at > :since and r.received_at <= :asOf having count(*) > 0) a
     where s.organization_id = :organizationId and s.student_id = any(:studentIds::bigint[])
       and s.status = 'FINISHED' and s.finished_at > :since and s.finished_at <= :asOf`,
    bindingsOf(request),
  );

/** An item is served once in a queue. */
export const practiceQueueAnswers: SupportedAnswersReader = (trx, request) =>
  rowsOf(
    trx,
    `select q.student_id, q.pinned->>'bankVersion' as bank_version, a.*
     from practice_queue q
     cross join lateral (
       select json_agg(i.item_id) as item_ids, json_agg(i.sub_skill_code) as sub_skill_codes,
           json_agg(r.correct) as corrects, json_agg(i.hint_pattern_key is not null) as supported
         from practice_response r
         join practice_served_item i on i.organization_id = r.organization_id and i.queue_id = r.queue_id
           and i.seq = r.seq
         where r.organization_id = q.organization_id and r.queue_id = q.id and not r.skipped
           and r.received_at > :since and r.received_at <= :asOf having count(*) > 0) a
     where q.organization_id = :organizationId and q.student_id = any(:studentIds::bigint[])`,
    bindingsOf(request),
  );

const bindingsOf = ({ organizationId, studentIds, since, asOf }: AnswersRequest) => ({
  organizationId,
  studentIds,
  since: since.toISOString(),
  asOf: asOf.toISOString(),
});
