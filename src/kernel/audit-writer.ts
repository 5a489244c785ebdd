// Says who is writing, for the whole transaction. The database then records what the write changes: no use case can
// forget it, and none can write the record by hand in another way.
import type { Trx } from '../platform/db.ts';

export interface Writer {
  readonly actorUserId: number;
  readonly operation: string;
  readonly requestId: string;
}

/** From here to the end of the transaction, changes of audited tables leave entries under this name. */
export async function nameWriter(trx: Trx, { actorUserId, operation, requestId }: Writer, now: Date): Promise<void> {
  const writer = { actor: actorUserId, operation, requestId, at: now.toISOString() };
  await trx.raw("select set_config('app.writer', ?, true)", [JSON.stringify(writer)]);
}
