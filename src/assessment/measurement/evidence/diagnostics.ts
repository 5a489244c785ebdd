// Reads finished diagnostics as evidence: the choices, scored with the item bank with which the session was started.

import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { type AnswerLists, answerLists } from './answer-lists.ts';
import { type AnswerScorer, createAnswerScorer, type StoredAnswer } from './answer-scorer.ts';
import { type FactRules, markedEvidence } from './engine/facts.ts';
import type { EvidenceReader, EvidenceRequest, StudentSession } from './reader.ts';
import { endedIn, joinedWindows } from './windows.ts';

interface SessionRow {
  readonly studentId: number;
  readonly sessionId: string;
  readonly endedAt: string;
  readonly bankVersion: string;
  /** Serving numbers with a behaviour mark; null when the session has no behaviour log. */
  readonly markedSeqs: readonly number[] | null;
  readonly provisionalSubSkills: readonly string[];
  readonly answers: AnswerLists;
}

export const diagnosticEvidence: EvidenceReader = async (trx, request) => {
  const rows = await finishedSessions(trx, request);
  const scorer = await createAnswerScorer(
    request.itemBanks,
    rows.map(({ bankVersion }) => bankVersion),
  );
  const sessionsIn = endedIn(rows);
  return (window, rules) => sessionsIn(window).map((row) => evidenceOf(row, window.to, scorer, rules));
};

/**
 * Reads each session once, even when several windows contain it, since the answers of a finished session do not change.
 */
function finishedSessions(
  trx: Trx,
  { organizationId, students, fromResponses }: EvidenceRequest,
): Promise<SessionRow[]> {
  const windows = joinedWindows(students);
  const answers = fromResponses ? answerLists() : `coalesce(s.answers, ${answerLists()})`;
  return rowsOf(
    trx,
    `select s.student_id, s.id as session_id, s.finished_at as ended_at, s.pinned->>'bankVersion' as bank_version,
       b.marked_seqs,
       array(select e.sub_skill_code from diagnostic_estimate e where e.organization_id = s.organization_id
         and e.session_id = s.id and e.calibration_provisional order by 1) as provisional_sub_skills,
       s.answers
     from unnest(:studentIds::bigint[], :from::timestamptz[], :to::timestamptz[]) as w (student_id, opens, closes)
     cross join lateral (
       select s.organization_id, s.student_id, s.id, s.finished_at, s.pinned, ${answers} as answers
       from diagnostic_session s
       where s.organization_id = ${anyOrganization} and s.student_id = w.student_id
         and s.status = 'FINISHED' and s.finished_at between w.opens and w.closes offset 0) s
     left join rbm_log b on b.organization_id = s.organization_id and b.source = 'diagnostic' and b.session_id = s.id
     where s.answers is not null`,
    {
      organizationId,
      studentIds: windows.map(({ studentId }) => studentId),
      from: windows.map(({ from }) => from),
      to: windows.map(({ to }) => to),
    },
  );
}

/** Returns the evidence of a session. `asOf`: the window's end. */
function evidenceOf(row: SessionRow, asOf: string, scorer: AnswerScorer, rules: FactRules): StudentSession {
  const { sessionId, endedAt, bankVersion, provisionalSubSkills, answers } = row;
  const [seqs] = answers;
  const of = { sessionId, bankVersion, asOf };
  const responses = seqs.map((_, at) => scorer.served(answerAt(answers, at), of));
  const marked = new Set(row.markedSeqs);
  const served = { sessionId, source: 'diagnostic', endedAt, finished: true, responses, pausesMs: [] } as const;
  const facts = markedEvidence(served, rules, (at) => marked.has(seqs[at] ?? 0));
  return { ...facts, provisionalSubSkills };
}

const answerAt = (
  [, itemIds, subSkillCodes, indexes, corrects, latenciesMs]: AnswerLists,
  at: number,
): StoredAnswer => ({
  itemId: itemIds[at] ?? '',
  subSkillCode: subSkillCodes[at] ?? '',
  index: indexes[at] ?? null,
  correct: corrects[at] === true,
  latencyMs: latenciesMs[at] ?? 0,
});
