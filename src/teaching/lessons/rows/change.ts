// The one door through which a session moves on: the row, and who did what with it, in the same moment.
import type { Trx } from '#core/platform/db.ts';
import type { SessionAction } from '../enums.ts';
import { type SessionChange, SessionRow } from './store.ts';

export interface Act {
  readonly action: SessionAction;
  /** User id; null: the service. */
  readonly actorUserId: number | null;
  /** As the answer of a session names them. */
  readonly changedFields: readonly string[];
  readonly now: Date;
}

/** Answers the row as it is now. */
export async function changeSession(trx: Trx, row: SessionRow, change: SessionChange, act: Act): Promise<SessionRow> {
  const { organizationId, id } = row;
  if (Object.keys(change).length > 0) await SessionRow.query(trx).where({ organizationId, id }).patch(change);
  await appendAct(trx, row, act);
  return Object.assign(new SessionRow(), row, change);
}

export async function appendAct(
  trx: Trx,
  { organizationId, schoolYear, id }: Pick<SessionRow, 'organizationId' | 'schoolYear' | 'id'>,
  { action, actorUserId, changedFields, now }: Act,
): Promise<void> {
  await trx('session_audit').insert({
    ...{ organizationId, schoolYear, sessionId: id, at: now.toISOString() },
    ...{ actorUserId, action, changedFields: [...changedFields] },
  });
}
