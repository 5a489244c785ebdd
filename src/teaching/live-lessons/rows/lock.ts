// The one lock of a live session: whoever writes anything of it waits here for whoever does so already. It also gives events
// their numbers.
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { type LiveChange, LiveSessionRow } from './session.ts';

/** Until the transaction ends. NOT_FOUND where there is none. */
export async function lockLive(trx: Trx, organizationId: string, id: string): Promise<LiveSessionRow> {
  const row = await findLockedLive(trx, organizationId, id);
  if (!row) throw notFound();
  return row;
}

export const findLockedLive = async (
  trx: Trx,
  organizationId: string,
  id: string,
): Promise<LiveSessionRow | undefined> =>
  lockRows('liveSession', 'change', LiveSessionRow.query(trx).findOne({ organizationId, id }));

/** The one door through which the row changes; it is locked. Answers the row as it is now. */
export async function changeLive(trx: Trx, row: LiveSessionRow, change: LiveChange): Promise<LiveSessionRow> {
  const { organizationId, id } = row;
  await LiveSessionRow.query(trx).where({ organizationId, id }).patch(change);
  return Object.assign(new LiveSessionRow(), row, change);
}
