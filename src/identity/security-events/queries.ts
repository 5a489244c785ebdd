// Reads of security events.

import { instantOf } from '#core/http/instants.ts';
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import type { SecurityEvent } from './kinds.ts';
import { RecordedSecurityEvent } from './recorder.ts';

export interface SecurityEventFilter extends PageQuery {
  readonly kind?: string;
  readonly userId?: number;
  /** ISO 8601; inclusive. */
  readonly from?: string;
  /** ISO 8601; exclusive. */
  readonly to?: string;
}

type StoredSecurityEvent = Omit<SecurityEvent, 'at'> & { readonly id: number; readonly at: string };

/** Returns the events that the transaction's context may see, newest first: one organization's, or all of them. */
export async function listSecurityEvents(trx: Trx, filter: SecurityEventFilter): Promise<Page<StoredSecurityEvent>> {
  const { kind, userId, from, to, limit = defaultLimit, cursor } = filter;
  const query = RecordedSecurityEvent.query(trx)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  const before = keyInCursor(cursor, ['number'])?.[0];
  if (before !== undefined) query.where('id', '<', before);
  if (kind !== undefined) query.where('kind', kind);
  if (userId !== undefined) query.where({ userId });
  if (from !== undefined) query.where('at', '>=', instantOf(from, 'from'));
  if (to !== undefined) query.where('at', '<', instantOf(to, 'to'));
  const rows: StoredSecurityEvent[] = await query.select('*');
  return pageOf(rows, limit, ({ id }) => [id], present);
}

const present = (row: StoredSecurityEvent): StoredSecurityEvent => ({
  id: row.id,
  kind: row.kind,
  userId: row.userId,
  organizationId: row.organizationId,
  addressHash: row.addressHash,
  at: row.at,
  details: row.details,
});
