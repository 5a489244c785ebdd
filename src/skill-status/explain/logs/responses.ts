// The responses that a behaviour log looked at, with what it noted on each.
import type { Trx } from '../../../platform/db.ts';
import { rowsOf } from '../../../platform/sql.ts';
import type { LoggedResponse } from './schemas.ts';

export interface LoggedSessionRef {
  readonly organizationId: string;
  readonly source: 'diagnostic' | 'practice';
  readonly sessionId: string;
  /** Places among the responses, from 1. */
  readonly markedSeqs: readonly number[];
}

const tables = {
  diagnostic: { response: 'diagnostic_response', served: 'diagnostic_served_item', session: 'session_id' },
  practice: { response: 'practice_response', served: 'practice_served_item', session: 'queue_id' },
} as const;

/** In serving order. */
export async function loggedResponses(
  trx: Trx,
  { organizationId, source, sessionId, markedSeqs }: LoggedSessionRef,
): Promise<LoggedResponse[]> {
  const { response, served, session } = tables[source];
  const rows = await rowsOf<Omit<LoggedResponse, 'marked'>>(
    trx,
    `select r.seq, i.item_id, i.sub_skill_code, not r.skipped as answered, r.correct, r.latency_ms
     from ${response} r
     join ${served} i on i.organization_id = r.organization_id and i.${session} = r.${session} and i.seq = r.seq
     where r.organization_id = :organizationId and r.${session} = :sessionId order by r.seq`,
    { organizationId, sessionId },
  );
  const marked = new Set(markedSeqs);
  return rows.map((row, at) => ({ ...row, marked: marked.has(at + 1) }));
}
