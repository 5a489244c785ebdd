// The rows of client logs, and when a person's last batch was accepted.
import type { Trx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { rowsOf } from '../platform/sql.ts';
import type { ClientLevel } from './schemas.ts';

/** Whose rows they are. */
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

/** Between two accepted batches of one person. */
const pauseMs = 5_000;

/** Throws RATE_LIMITED too soon after the last accepted batch; one that is refused moves nothing. */
export async function claimBatch(trx: Trx, { organizationId, userId }: Reporter, now: Date): Promise<void> {
  const taken = await rowsOf(
    trx,
    `insert into client_log_batch (organization_id, user_id, accepted_at) values (:organizationId, :userId, :now)
     on conflict (organization_id, user_id) do update set accepted_at = excluded.accepted_at
       where client_log_batch.accepted_at <= :before
     returning user_id`,
    { organizationId, userId, now: now.toISOString(), before: new Date(now.getTime() - pauseMs).toISOString() },
  );
  if (taken.length > 0) return;
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
  await trx('client_log').insert(rows.map((row) => ({ organizationId, userId, at, ...row })));
}
