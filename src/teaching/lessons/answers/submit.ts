// Answers arrive: from the students themselves while a session is laid out for them, or later from a teacher's device that had
// no network. Whatever comes twice lands once.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { contentOf } from '../content/content.ts';
import { acceptsUntil } from '../offline/deadline.ts';
import { requireCall, takes } from '../rows/moves.ts';
import { includedIds, lockSession, recipientsOf, type SessionRow } from '../rows/store.ts';
import { newAnswers, type SentAnswer } from './check.ts';
import type { AcceptedResponses } from './schemas.ts';
import { appendResponses, type Sent } from './store.ts';

type Accepted = Static<typeof AcceptedResponses>;

/** Of one who is included. CONFLICT unless the session is laid out for students. */
export const submitOwn = (trx: Trx, session: SessionRow, sent: readonly SentAnswer[], of: Sent): Promise<Accepted> =>
  submit(trx, session, sent, of, (row) => requireCall('answer', row));

/** Of many. CONFLICT `expired` once the last pack has been over for long. */
export const submitOffline = (
  trx: Trx,
  session: SessionRow,
  sent: readonly SentAnswer[],
  of: Sent,
): Promise<Accepted> => submit(trx, session, sent, of, (row) => requireInTime(row, of.now));

function requireInTime(row: SessionRow, now: Date): void {
  if (takes('offline', row)) return;
  const until = acceptsUntil(row);
  if (until === undefined) requireCall('offline', row);
  else if (now > until) throw conflict('expired', 'Answers of this session came too late.', 'state');
}

/** Students do not wait for one another: the row only stays as it is. */
async function submit(
  trx: Trx,
  session: SessionRow,
  sent: readonly SentAnswer[],
  of: Sent,
  requireState: (row: SessionRow) => void,
): Promise<Accepted> {
  const row = await lockSession(trx, session, 'share');
  const { items } = await contentOf(trx, row);
  const included = new Set(includedIds(await recipientsOf(trx, row)));
  const known = await knownIds(trx, row, sent);
  const answers = newAnswers(sent, { items, included, known });
  requireState(row);
  const accepted = await appendResponses(trx, row, answers, of);
  return { accepted, duplicates: sent.length - accepted };
}

async function knownIds(
  trx: Trx,
  { organizationId, id: sessionId, schoolYear }: SessionRow,
  sent: readonly SentAnswer[],
): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ clientResponseId: string }>(
    trx,
    `select client_response_id from session_response
     where organization_id = :organizationId and session_id = :sessionId and school_year = :schoolYear
       and client_response_id = any(:ids::uuid[])`,
    { organizationId, sessionId, schoolYear, ids: sent.map(({ clientResponseId }) => clientResponseId) },
  );
  return new Set(rows.map(({ clientResponseId }) => clientResponseId));
}
