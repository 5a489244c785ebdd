// A session that was taught live is given when the live session ends: that one writes the deliveries, once.

import type { Trx } from '#core/platform/db.ts';
import type { SessionState } from '../enums.ts';
import { takes } from '../rows/moves.ts';
import { lockSession } from '../rows/store.ts';
import { closeAsGiven, type Given } from './close.ts';

export interface TaughtLive extends Omit<Given, 'actorUserId'> {
  readonly organizationId: string;
  readonly sessionId: string;
  /** User id; absent: the service ended it. */
  readonly actorUserId?: number | null;
}

/** Answers the state that it was in: one that was delivered or cancelled meanwhile stays as it is. */
export async function deliverFromLive(trx: Trx, taught: TaughtLive): Promise<SessionState> {
  const { organizationId, sessionId, actorUserId = null, ...given } = taught;
  const row = await lockSession(trx, { organizationId, id: sessionId });
  if (takes('deliver', row)) await closeAsGiven(trx, row, { ...given, actorUserId });
  return row.state;
}
