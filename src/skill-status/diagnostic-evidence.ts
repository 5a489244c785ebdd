// Finished diagnostics as evidence: what was chosen, judged by the item bank that the session was started with.

import type { ItemBank } from '../measurement/items/engine/bank.ts';
import type { Item } from '../measurement/items/engine/item.ts';
import { stampVersion } from '../measurement/rules.ts';
import type { Trx } from '../platform/db.ts';
import { EvidenceError } from './engine/evidence.ts';
import { type FactRules, sessionEvidence } from './engine/facts.ts';
import type { ServedResponse } from './engine/served.ts';
import type { EvidenceReader, EvidenceRequest, StudentSession } from './evidence-reader.ts';
import { rowsOf } from './sql.ts';

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
interface AnswerRow {
  readonly seq: number;
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly index: number | null;
  readonly correct: boolean;
  readonly latencyMs: number;
}

export const diagnosticEvidence: EvidenceReader = async (trx, request) => {
  const rows = await finishedSessions(trx, request);
  const banks = await pinnedBanks(rows, request);
  const today = await request.itemBanks.current();
  return rows.map((row) => evidenceOf(row, banks, today, request.rules));
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
         join diagnostic_served_item i on i.organization_id = r.organization_id and i.id = r.served_item_id
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

type BanksByStamp = ReadonlyMap<string, ItemBank>;

async function pinnedBanks(rows: readonly SessionRow[], { itemBanks }: EvidenceRequest): Promise<BanksByStamp> {
  const stamps = [...new Set(rows.map(({ bankVersion }) => bankVersion))];
  const banks = await Promise.all(stamps.map((stamp) => itemBanks.version(stampVersion(stamp))));
  return new Map(stamps.flatMap((stamp, at) => (banks[at] ? [[stamp, banks[at]]] : [])));
}

/** Patterns and times come from the pinned bank, withdrawal from today's: a later bank may withdraw an item. */
function evidenceOf(row: SessionRow, banks: BanksByStamp, today: ItemBank, rules: FactRules): StudentSession {
  const { studentId, sessionId, endedAt, asOf, provisionalSubSkills, answers } = row;
  const served = answers.map((answer) => {
    const item = banks.get(row.bankVersion)?.find(answer.itemId);
    if (!item) throw new EvidenceError(`session ${sessionId}: ${row.bankVersion} has no item ${answer.itemId}`);
    return servedResponse(answer, item, isWithdrawn(today.find(item.id) ?? item, asOf));
  });
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

function servedResponse(answer: AnswerRow, item: Item, withdrawn: boolean): ServedResponse {
  const { index, correct, latencyMs, subSkillCode } = answer;
  const microPattern = item.options.find((option) => option.index === index)?.microPattern ?? null;
  return {
    itemId: item.id,
    subSkillCode,
    expectedSeconds: item.expectedSeconds,
    designedPatterns: item.designedPatterns,
    withdrawn,
    choice: index === null ? null : { index, correct, microPattern },
    latencyMs,
    hintServed: false,
    audioReplays: 0,
    optionChanges: 0,
  };
}

const isWithdrawn = ({ status, withdrawnAt }: Item, asOf: string): boolean =>
  status === 'withdrawn' && (withdrawnAt === undefined || Date.parse(withdrawnAt) <= Date.parse(asOf));
