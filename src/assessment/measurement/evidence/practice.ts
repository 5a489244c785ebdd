// Reads practice queues as evidence: in every state, with the answers within the window. A queue may last for weeks,
// across the start of a school year.
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { type AnswerScorer, createAnswerScorer, type StoredAnswer } from './answer-scorer.ts';
import { type FactRules, markedEvidence, sessionEvidence } from './engine/facts.ts';
import type { EvidenceReader, EvidenceRequest, StudentSession } from './reader.ts';
import { answersSql } from './transcript.ts';
import { readFor } from './windows.ts';

interface QueueRow {
  /** Number of the window in the request, from 1. */
  readonly windowNumber: number;
  readonly sessionId: string;
  /** The last answer up to the window's end; if all items were skipped, the last skipped one. */
  readonly endedAt: string;
  readonly bankVersion: string;
  /** Response numbers with a behaviour mark, from 1; null until the queue has ended. */
  readonly markedSeqs: readonly number[] | null;
  /** All answers from the first of the queue, since marks are numbered and computed from there. */
  readonly answers: readonly AnswerRow[];
}
interface AnswerRow extends StoredAnswer {
  readonly provisional: boolean;
  /** Whether the answer lies within the window. */
  readonly isWithin: boolean;
}

export const practiceEvidence: EvidenceReader = async (trx, request) => {
  const rows = await answeredQueues(trx, request);
  if (rows.length === 0) return () => [];
  const scorer = await createAnswerScorer(
    request.itemBanks,
    rows.map(({ bankVersion }) => bankVersion),
  );
  const queuesIn = readFor(request.students, rows);
  return (window, rules) => queuesIn(window).map((row) => evidenceOf(row, window.to, scorer, rules));
};

/** Answers after the window's end are excluded, so that a window gives equal evidence at all times. */
function answeredQueues(trx: Trx, { organizationId, students }: EvidenceRequest): Promise<QueueRow[]> {
  return rowsOf(
    trx,
    `select w.window_number::integer as window_number, s.id as session_id, a.ended_at, s.pinned->>'bankVersion' as bank_version, b.marked_seqs,
       a.answers
     from unnest(:studentIds::bigint[], :from::timestamptz[], :to::timestamptz[])
       with ordinality as w (student_id, opens, closes, window_number)
     cross join lateral (
       select s.organization_id, s.student_id, s.id, s.pinned from practice_queue s
       where s.organization_id = ${anyOrganization} and s.student_id = w.student_id offset 0) s
     cross join lateral (
       select coalesce(max(r.received_at) filter (where not r.skipped), max(r.received_at)) as ended_at,
         json_agg(json_build_object('itemId', i.item_id,
           'subSkillCode', i.sub_skill_code, 'index', r.selected_option_index, 'correct', r.correct,
           'latencyMs', r.latency_ms, 'optionChanges', r.option_changes,
           'hintServed', i.hint_pattern_key is not null, 'provisional', i.calibration_provisional,
           'isWithin', r.received_at >= w.opens) order by r.seq) as answers
         ${answersSql('practice')} and r.received_at <= w.closes) a
     left join rbm_log b on b.organization_id = s.organization_id and b.source = 'practice' and b.session_id = s.id
       and b.at <= w.closes
     where a.ended_at >= w.opens`,
    {
      organizationId,
      studentIds: students.map(({ studentId }) => studentId),
      from: students.map(({ from }) => from),
      to: students.map(({ to }) => to),
    },
  );
}

/**
 * Returns the evidence of a queue. `asOf`: the window's end. Marks come from the log of an ended queue; for a running
 * one they are computed from its answers so far.
 */
function evidenceOf(row: QueueRow, asOf: string, scorer: AnswerScorer, rules: FactRules): StudentSession {
  const { sessionId, bankVersion, endedAt, answers, markedSeqs } = row;
  const responses = answers.map((answer) => scorer.served(answer, { sessionId, bankVersion, asOf }));
  const served = { sessionId, source: 'practice', endedAt, finished: true, responses, pausesMs: [] } as const;
  const marked = markedSeqs && new Set(markedSeqs);
  const facts = marked ? markedEvidence(served, rules, (at) => marked.has(at + 1)) : sessionEvidence(served, rules);
  return {
    session: facts.session,
    responses: facts.responses.filter((_, at) => answers[at]?.isWithin),
    provisionalSubSkills: provisionalIn(answers.filter(({ isWithin }) => isWithin)),
  };
}

const provisionalIn = (answers: readonly AnswerRow[]): string[] =>
  [...new Set(answers.flatMap(({ provisional, subSkillCode }) => (provisional ? [subSkillCode] : [])))].sort();
