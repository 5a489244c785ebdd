// SQL for the stored answers of diagnostics and practice, which differ in names only. Evidence, support counts and
// explanations use it.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { accountsIn, voidIn } from './corrections/in-statements.ts';

/** Sessions that serve items and store a response to each. */
export type AnswerSource = 'diagnostic' | 'practice';

const tables = {
  diagnostic: { response: 'diagnostic_response', served: 'diagnostic_served_item', session: 'session_id' },
  practice: { response: 'practice_response', served: 'practice_served_item', session: 'queue_id' },
} as const;

/** The expressions by which a statement names a session or student. */
export interface SessionInStatement {
  readonly organizationId: string;
  readonly id: string;
}

/** The session of row `s` in the enclosing statement. */
export const ofRow: SessionInStatement = { organizationId: 's.organization_id', id: 's.id' };

/**
 * Returns SQL from `from` to a first condition: responses as `r`, in serving order by `r.seq`, and served items as `i`.
 */
export function answersSql(source: AnswerSource, { organizationId, id }: SessionInStatement = ofRow): string {
  const { response, served, session } = tables[source];
  return `from ${response} r
         join ${served} i on i.organization_id = r.organization_id and i.${session} = r.${session} and i.seq = r.seq
         where r.organization_id = ${organizationId} and r.${session} = ${id}`;
}

/**
 * Returns a subquery for the instant of the student's newest answer that is not voided; null without one. It refers to
 * the enclosing statement.
 */
export function newestAnswerOf(source: AnswerSource, student: SessionInStatement): string {
  const { response, session } = tables[source];
  const { organizationId, id } = student;
  const accounts = accountsIn({ organizationId, studentId: id });
  return `(select max(r.received_at) from ${sessionTables[source]} s
     join ${response} r on r.organization_id = s.organization_id and r.school_year = s.school_year and r.${session} = s.id
   where s.organization_id = ${organizationId} and s.student_id = any(${accounts}) and not r.skipped
     and ${voidIn({ kind: source, organizationId, refId: 's.id' })} is null)`;
}

const sessionTables = {
  diagnostic: 'diagnostic_session',
  practice: 'practice_queue',
} as const satisfies Record<AnswerSource, string>;

export interface SessionRef {
  readonly organizationId: string;
  readonly source: AnswerSource;
  readonly sessionId: string;
}

export interface TranscriptLine {
  /** Serving number, from 1. */
  readonly seq: number;
  readonly itemId: string;
  readonly subSkillCode: string;
  /** False when skipped. */
  readonly answered: boolean;
  readonly correct: boolean;
  readonly latencyMs: number;
}

/** Returns the lines of one session in serving order. */
export const transcriptOf = (trx: Trx, { organizationId, source, sessionId }: SessionRef): Promise<TranscriptLine[]> =>
  rowsOf(
    trx,
    `select r.seq, i.item_id, i.sub_skill_code, not r.skipped as answered, r.correct, r.latency_ms
     ${answersSql(source, { organizationId: ':organizationId', id: ':sessionId' })} order by r.seq`,
    { organizationId, sessionId },
  );

export interface ChosenOption {
  readonly sessionId: string;
  readonly itemId: string;
  /** Null when skipped. */
  readonly optionIndex: number | null;
  /** The bank with which the session was started: `content/item-bank@2`. */
  readonly bankVersion: string;
}

/** Returns which option was chosen at each item of these sessions. */
export const chosenOptions = (
  trx: Trx,
  { organizationId, source, sessionIds }: Omit<SessionRef, 'sessionId'> & { readonly sessionIds: readonly string[] },
): Promise<ChosenOption[]> =>
  sessionIds.length === 0
    ? Promise.resolve([])
    : rowsOf(
        trx,
        `select s.id as session_id, a.item_id, a.option_index, s.pinned->>'bankVersion' as bank_version
         from ${sessionTables[source]} s
         cross join lateral (
           select i.item_id, r.selected_option_index as option_index, r.seq ${answersSql(source)}
             and r.school_year = s.school_year and i.school_year = s.school_year) a
         where s.organization_id = :organizationId and s.id = any(:sessionIds::text[])
         order by s.id, a.seq`,
        { organizationId, sessionIds },
      );
