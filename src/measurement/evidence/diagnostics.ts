// Finished diagnostics as evidence: what was chosen, judged by the item bank that the session was started with.

import type { Trx } from '../../platform/db.ts';
import { rowsOf } from '../../platform/sql.ts';
import { type AnswerJudge, answerJudge, type StoredAnswer } from './answered-items.ts';
import { type FactRules, sessionEvidence } from './engine/facts.ts';
import type { EvidenceReader, EvidenceRequest, StudentSession } from './reader.ts';

interface SessionRow {
  readonly studentId: number;
  readonly sessionId: string;
  readonly endedAt: string;
  /** End of the student's window. */
  readonly asOf: string;
  readonly bankVersion: string;
  /** Serving numbers with a behaviour mark; null when the session has no behaviour log. */
  readonly markedSeqs: readonly number[] | null;
  readonly provisionalSubSkills: readonly string[];
  readonly answers: readonly AnswerRow[];
}
interface AnswerRow extends StoredAnswer {
  readonly seq: number;
}

export const diagnosticEvidence: EvidenceReader = async (trx, request) => {
  const rows = await finishedSessions(trx, request);
  const judge = await answerJudge(
    request.itemBanks,
    rows.map(({ bankVersion }) => bankVersion),
  );
  return rows.map((row) => evidenceOf(row, judge, request.rules));
};

function finishedSessions(trx: Trx, { organizationId, students }: EvidenceRequest): Promise<SessionRow[]> {
  return rowsOf(
    trx,
    `select s.student_id, s.id as session_id, s.finished_at as ended_at, w.closes as as_of, s.pinned->>'bankVersion' as bank_version,
       b.marked_seqs,
       array(select e.sub_skill_code from diagnostic_estimate e where e.organization_id = s.organization_id
         and e.session_id = s.id and e.calibration_provisional order by 1) as provisional_sub_skills,
       (select json_agg(json_build_object('seq', r.seq, 'itemId', i.item_id, 'subSkillCode', i.sub_skill_code,
           'index', r.selected_option_index, 'correct', r.correct, 'latencyMs', r.latency_ms) order by r.seq)
         from diagnostic_response r
         join diagnostic_served_item i on i.organization_id = r.organization_id and i.session_id = r.session_id and i.seq = r.seq
         where r.organization_id = s.organization_id and r.session_id = s.id) as answers
     from unnest(:studentIds::bigint[], :from::timestamptz[], :to::timestamptz[]) as w (student_id, opens, closes)
     join diagnostic_session s on s.organization_id = :organizationId and s.student_id = w.student_id
       and s.status = 'FINISHED' and s.finished_at between w.opens and w.closes
     left join rbm_log b on b.organization_id = s.organization_id and b.source = 'diagnostic' and b.session_id = s.id
     where exists (select from diagnostic_response r where r.organization_id = s.organization_id
       and r.session_id = s.id)`,
    {
      organizationId,
      studentIds: students.map(({ studentId }) => studentId),
      from: students.map(({ from }) => from),
      to: students.map(({ to }) => to),
    },
  );
}

function evidenceOf(row: SessionRow, judge: AnswerJudge, rules: FactRules): StudentSession {
  const { studentId, sessionId, endedAt, provisionalSubSkills, answers } = row;
  const served = answers.map((answer) => judge.served(answer, row));
  const marked = new Set(row.markedSeqs);
  const facts = sessionEvidence(
    { sessionId, source: 'diagnostic', endedAt, finished: true, responses: served, pausesMs: [] },
    rules,
  );
  const responses = facts.responses.map((response, at) => {
    return { ...response, behaviourMark: marked.has(answers[at]?.seq ?? 0) };
  });
  return { studentId, session: facts.session, responses, provisionalSubSkills };
}
