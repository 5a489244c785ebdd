// Answers of a window with the support given, for deciding how much support is needed: finished diagnostics, and
// practice in every state.
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { accountsIn, voidIn } from './corrections/in-statements.ts';
import { type AnswerSource, answersSql } from './transcript.ts';

/** `since` is exclusive, `asOf` inclusive. */
export interface AnswersRequest {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly since: Date;
  readonly asOf: Date;
}

/** A student's answers in one session, each item once, without skipped items, unordered. */
export interface SupportedAnswers {
  readonly studentId: number;
  /** `content/item-bank@1` */
  readonly bankVersion: string;
  readonly itemIds: readonly string[];
  readonly subSkillCodes: readonly string[];
  readonly corrects: readonly boolean[];
  /** Whether help came with the item or was requested. */
  readonly supported: readonly boolean[];
}

export type SupportedAnswersReader = (trx: Trx, request: AnswersRequest) => Promise<SupportedAnswers[]>;

interface Asked {
  readonly source: AnswerSource;
  /** The table of sessions. */
  readonly sessions: string;
  /** SQL condition for a supported answer. */
  readonly supported: string;
  /** Additional SQL condition on a session. */
  readonly counts?: string;
}

const supportedAnswers =
  ({ source, sessions, supported, counts = '' }: Asked): SupportedAnswersReader =>
  (trx, request) =>
    rowsOf(
      trx,
      `select t.student_id, s.pinned->>'bankVersion' as bank_version, a.*
     from unnest(:studentIds::bigint[]) as t (student_id)
     join ${sessions} s on s.organization_id = ${anyOrganization}
       and s.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: 't.student_id', at: ':asOf' })})
     cross join lateral (
       select json_agg(i.item_id) as item_ids, json_agg(i.sub_skill_code) as sub_skill_codes,
           json_agg(r.correct) as corrects, json_agg(${supported}) as supported
         ${answersSql(source)} and not r.skipped
           and r.received_at > :since and r.received_at <= :asOf having count(*) > 0) a
     where ${voidIn({ kind: source, organizationId: ':organizationId', refId: 's.id', at: ':asOf' })} is null ${counts}`,
      bindingsOf(request),
    );

/** A diagnostic serves an item once and offers no help. */
export const diagnosticAnswers = supportedAnswers({
  source: 'diagnostic',
  sessions: 'diagnostic_session',
  supported: 'false',
  counts: "and s.status = 'FINISHED' and s.finished_at > :since and s.finished_at <= :asOf",
});

/** A queue serves an item once. */
export const practiceQueueAnswers = supportedAnswers({
  source: 'practice',
  sessions: 'practice_queue',
  supported: 'i.hint_pattern_key is not null',
});

const bindingsOf = ({ organizationId, studentIds, since, asOf }: AnswersRequest) => ({
  organizationId,
  studentIds,
  since: since.toISOString(),
  asOf: asOf.toISOString(),
});
