// Practice queues as evidence: in every state, and with what was answered in the window. A queue may go on for weeks, across
// the start of a school year.
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { type AnswerJudge, answerJudge, type StoredAnswer } from './answered-items.ts';
import { type FactRules, markedEvidence, sessionEvidence } from './engine/facts.ts';
import type { EvidenceReader, EvidenceRequest, StudentSession } from './reader.ts';
import { answersOf } from './transcript.ts';
import { readFor } from './windows.ts';

interface QueueRow {
  /** Of the window, from 1. */
  readonly place: number;
  readonly sessionId: string;
  /** The last answer up to the window's end; where everything was skipped, the last skipped item. */
  readonly endedAt: string;
  readonly bankVersion: string;
  /** Places with a behaviour mark, from 1; null while the queue had not ended. */
  readonly markedSeqs: readonly number[] | null;
  /** From the first of the queue: marks are counted, and made, from there. */
  readonly answers: readonly AnswerRow[];
}
interface AnswerRow extends StoredAnswer {
  readonly provisional: boolean;
  /** Not before the window opened. */
  readonly isWithin: boolean;
}

export const practiceEvidence: EvidenceReader = async (trx, request) => {
  const rows = await workedQueues(trx, request);
  if (rows.length === 0) return () => [];
  const judge = await answerJudge(
    request.itemBanks,
    rows.map(({ bankVersion }) => bankVersion),
  );
  const queuesIn = readFor(request.students, rows);
  return (window, rules) => queuesIn(window).map((row) => evidenceOf(row, window.to, judge, rules));
};

/** What came after the window's end was not known then: a window looks the same whenever it is looked at. */
function workedQueues(trx: Trx, { organizationId, students }: EvidenceRequest): Promise<QueueRow[]> {
  return rowsOf(
    trx,
    `select w.place::integer as place, s.id as session_id, a.ended_at, s.pinned->>'bankVersion' as bank_version, b.marked_seqs,
       a.answers
     from unnest(:studentIds::bigint[], :from::timestamptz[], :to::timestamptz[])
       with ordinality as w (student_id, opens, closes, place)
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
         ${answersOf('practice')} and r.received_at <= w.closes) a
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
 * `asOf`: the window's end. Marks are the log's once the queue has ended; of one that goes on they are made from its answers so
 * far.
 */
function evidenceOf(row: QueueRow, asOf: string, judge: AnswerJudge, rules: FactRules): StudentSession {
  const { sessionId, bankVersion, endedAt, answers, markedSeqs } = row;
  const responses = answers.map((answer) => judge.served(answer, { sessionId, bankVersion, asOf }));
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
