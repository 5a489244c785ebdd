// SQL for the answers of a diagnostic as one value. The finish stores it with the session; for sessions without it,
// evidence computes it from the responses with the same expression.
import { answersSql, ofRow, type SessionInStatement } from './transcript.ts';

/**
 * Parallel lists in serving order: number, item, sub-skill, chosen option, correctness, latency. PostgreSQL writes six
 * lists in a third of the time of one list per answer.
 */
export type AnswerLists = readonly [
  seqs: readonly number[],
  itemIds: readonly string[],
  subSkillCodes: readonly string[],
  indexes: readonly (number | null)[],
  corrects: readonly boolean[],
  latenciesMs: readonly number[],
];

/** Returns a subquery of type json; null for a session without responses. */
export const answerLists = (session: SessionInStatement = ofRow): string =>
  `(select json_build_array(array_agg(r.seq order by r.seq), array_agg(i.item_id order by r.seq),
           array_agg(i.sub_skill_code order by r.seq), array_agg(r.selected_option_index order by r.seq),
           array_agg(r.correct order by r.seq), array_agg(r.latency_ms order by r.seq))
         ${answersSql('diagnostic', session)} having count(*) > 0)`;
