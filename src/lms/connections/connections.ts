// How connections come and go. Of each provider an organization has one that is active.
import { keyOf, pageOf } from '../../http/pages.ts';
import type { Trx } from '../../platform/db.ts';
import { presentConnection } from './present.ts';
import { LmsConnection, lockConnection } from './rows.ts';

const defaultLimit = 25;

/** Ends it, whatever it was: nothing is left that could open the source. Answers whether it had ended before. */
export async function disconnect(
  trx: Trx,
  { organizationId, id }: Pick<LmsConnection, 'organizationId' | 'id'>,
  clock: () => Date,
): Promise<boolean> {
  const locked = await lockConnection(trx, { organizationId, id });
  if (!locked || locked.status === 'disconnected') return true;
  const ended = { sealedCredentials: null, credentialsKeyId: null, nextRunAt: null, expiresAt: null };
  await LmsConnection.query(trx)
    .findById([organizationId, id])
    .patch({ ...ended, status: 'disconnected', endedAt: clock().toISOString() });
  await trx('lms_source_row').where({ organizationId, connectionId: id }).delete();
  return false;
}

export interface ConnectionFilter {
  readonly limit?: number;
  readonly cursor?: string;
  readonly organizationId?: string | undefined;
}

/** Newest first; what waits for its provider and was not finished in time is not told. */
export async function listConnections(trx: Trx, input: ConnectionFilter, now: Date) {
  const { limit = defaultLimit, cursor, organizationId } = input;
  const query = LmsConnection.query(trx)
    .where((one) => one.whereNull('expiresAt').orWhere('expiresAt', '>', now.toISOString()))
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (organizationId !== undefined) query.where({ organizationId });
  const after = keyOf(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(created_at, id) < (?::timestamptz, ?)', [after[0] ?? '', after[1] ?? '']);
  return pageOf(await query, limit, ({ createdAt, id }) => [createdAt, id], presentConnection);
}
