// The answers of a diagnostic as one value. The finish stores it with the session, and evidence makes it of the responses where
// a session has none: both by the same expression.
import { answersOf, ofRow, type SessionInStatement } from './transcript.ts';

/**
 * In serving order a list each: number, item, sub-skill, chosen option, whether right, time. PostgreSQL writes six lists
 * in a third of the time that it takes for a list an answer.
 */
export type AnswerLists = readonly [
  seqs: readonly number[],
  itemIds: readonly string[],
  subSkillCodes: readonly string[],
  indexes: readonly (number | null)[],
  corrects: readonly boolean[],
  latenciesMs: readonly number[],
];

/** Subquery of type json; null of a session without any response. */
export const answerLists = (session: SessionInStatement = ofRow): string =>
  `(select json_build_array(array_agg(r.seq order by r.seq), array_agg(i.item_id order by r.seq),
           array_agg(i.sub_skill_code order by r.seq), array_agg(r.selected_option_index order by r.seq),
           array_agg(r.correct order by r.seq), array_agg(r.latency_ms order by r.seq))
         ${answersOf('diagnostic', session)} having count(*) > 0)`;
