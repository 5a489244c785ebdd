// Answers of a window with what the child was given for them, for whoever looks at how much support is needed: finished
// diagnostics, and practice in every state.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type AnswerSource, answersOf } from './transcript.ts';

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

interface Asked {
  readonly source: AnswerSource;
  /** Table of the sessions. */
  readonly sessions: string;
  /** Condition on an answer. */
  readonly supported: string;
  /** Further condition on a session. */
  readonly counts?: string;
}

const supportedAnswers =
  ({ source, sessions, supported, counts = '' }: Asked): SupportedAnswersReader =>
  (trx, request) =>
    rowsOf(
      trx,
      `select s.student_id, s.pinned->>'bankVersion' as bank_version, a.*
     from ${sessions} s
     cross join lateral (
       select json_agg(i.item_id) as item_ids, json_agg(i.sub_skill_code) as sub_skill_codes,
           json_agg(r.correct) as corrects, json_agg(${supported}) as supported
         ${answersOf(source)} and not r.skipped
           and r.received_at > :since and r.received_at <= :asOf having count(*) > 0) a
     where s.organization_id = :organizationId and s.student_id = any(:studentIds::bigint[]) ${counts}`,
      bindingsOf(request),
    );

/** An item is served once in a session, and there is no help. */
export const diagnosticAnswers = supportedAnswers({
  ...{ source: 'diagnostic', sessions: 'diagnostic_session', supported: 'false' },
  counts: "and s.status = 'FINISHED' and s.finished_at > :since and s.finished_at <= :asOf",
});

/** An item is served once in a queue. */
export const practiceQueueAnswers = supportedAnswers({
  ...{ source: 'practice', sessions: 'practice_queue', supported: 'i.hint_pattern_key is not null' },
});

const bindingsOf = ({ organizationId, studentIds, since, asOf }: AnswersRequest) => ({
  organizationId,
  studentIds,
  since: since.toISOString(),
  asOf: asOf.toISOString(),
});
