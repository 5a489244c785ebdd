// Storage of client logs and of the time of a person's last accepted batch.

import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { User } from '../people/index.ts';
import type { ClientLevel } from './schemas.ts';

/** The person whose browser reported. */
export interface Reporter {
  readonly organizationId: string;
  readonly userId: number;
}

export interface ClientLogRow {
  readonly level: ClientLevel;
  readonly message: string;
  readonly code: string | null;
  readonly url: string | null;
  readonly clientAt: string | null;
}

const ClientLog = modelOf<Reporter & ClientLogRow & { readonly id: number; readonly at: string }>('client_log', {
  id: ['organizationId', 'id'],
});

/** Minimum time between two accepted batches of one person. */
const pauseMs = 5_000;

/** Maximum number of stored entries per person and UTC day. */
const mostADay = 200;

/**
 * Returns how many of `sent` entries fit into the day's limit. Throws RATE_LIMITED within `pauseMs` of the last accepted
 * batch; a refused batch does not extend the pause.
 */
export async function claimBatch(
  trx: Trx,
  { organizationId, userId }: Reporter,
  sent: number,
  now: Date,
): Promise<number> {
  const at = now.toISOString();
  // An erasure locks the person first and deletes these rows afterwards, so the person is locked here too.
  await lockRows('account', 'exist', User.query(trx).where({ organizationId, id: userId })).select('id');
  const [claimed] = await rowsOf<{ sentOfDay: number }>(
    trx,
    `insert into client_log_batch (organization_id, user_id, accepted_at, day, sent_of_day)
     values (:organizationId, :userId, :at, :day, :sent)
     on conflict (organization_id, user_id) do update
       set accepted_at = excluded.accepted_at, day = excluded.day, sent_of_day = excluded.sent_of_day
         + case when client_log_batch.day = excluded.day then client_log_batch.sent_of_day else 0 end
       where client_log_batch.accepted_at <= :before
     returning sent_of_day`,
    { organizationId, userId, at, day: at.slice(0, 10), sent, before: new Date(now.getTime() - pauseMs).toISOString() },
  );
  if (claimed) return Math.min(sent, Math.max(0, mostADay - (claimed.sentOfDay - sent)));
  const [last] = await rowsOf<{ acceptedAt: string }>(
    trx,
    'select accepted_at from client_log_batch where organization_id = :organizationId and user_id = :userId',
    { organizationId, userId },
  );
  const endsAt = last ? new Date(last.acceptedAt).getTime() + pauseMs : now.getTime() + pauseMs;
  throw new AppError('RATE_LIMITED', 'Reports are taken every few seconds; send the next ones together.', {
    retryAfter: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000)),
  });
}

export async function appendLogs(
  trx: Trx,
  { organizationId, userId }: Reporter,
  rows: readonly ClientLogRow[],
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  await ClientLog.query(trx).insert(rows.map((row) => ({ organizationId, userId, at, ...row })));
}

/** Deletes everything that a person has reported; part of the erasure of the person. */
export async function removeLogsOf(trx: Trx, { organizationId, userId }: Reporter): Promise<void> {
  for (const table of ['client_log', 'client_log_batch']) await trx(table).where({ organizationId, userId }).delete();
}
