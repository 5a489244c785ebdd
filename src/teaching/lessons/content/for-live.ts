// A session as whoever teaches it live needs it.
import type { Trx } from '#core/platform/db.ts';
import { findSession, includedIds, recipientsOf, type SessionRow } from '../rows/store.ts';
import { contentOf, type SessionContent } from './content.ts';

export interface LiveSource extends SessionContent {
  readonly row: SessionRow;
  readonly includedStudentIds: readonly number[];
}

/** Undefined where the organization has no such session; whether its state allows it is the caller's question. */
export async function sessionForLive(
  trx: Trx,
  organizationId: string,
  sessionId: string,
): Promise<LiveSource | undefined> {
  const row = await findSession(trx, organizationId, sessionId);
  if (!row) return undefined;
  return { row, ...(await contentOf(trx, row)), includedStudentIds: includedIds(await recipientsOf(trx, row)) };
}
