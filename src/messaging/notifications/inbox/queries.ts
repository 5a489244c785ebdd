// Queries of an inbox: urgent notifications first, then all others, newest first. Every query names the recipient.
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { DeliveryState, Severity } from '../enums.ts';
import { Notification } from '../notification.ts';
import { presentNotification } from './present.ts';

export interface InboxFilter extends PageQuery {
  readonly state?: DeliveryState;
  readonly kind?: string;
  readonly severity?: Severity;
}

/** The owner of the rows; an account without an organization belongs to the platform. */
export const ownRows = ({ userId, organizationId }: Pick<Actor, 'userId' | 'organizationId'>) => ({
  organizationId: storedOrganization(organizationId),
  recipientUserId: userId,
});

export async function inboxPage(
  trx: Trx,
  actor: Actor,
  { state, kind, severity, limit = defaultLimit, cursor }: InboxFilter,
): Promise<Page<ReturnType<typeof presentNotification>>> {
  const after = keyInCursor(cursor, ['number', 'instant', 'string']);
  const query = Notification.query(trx)
    .where({ ...ownRows(actor), ...(kind && { kind }), ...(severity && { severity }) })
    .whereNot({ deliveryState: 'dismissed' })
    .orderBy([
      { column: 'urgent', order: 'desc' },
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (state) query.where({ deliveryState: state });
  if (after) {
    const [urgent, at, id] = after;
    query.whereRaw('(urgent, created_at, id) < (?::boolean, ?::timestamptz, ?)', [
      urgent === 1,
      String(at),
      String(id),
    ]);
  }
  const rows = await query;
  return pageOf(rows, limit, (row) => [row.urgent ? 1 : 0, row.createdAt, row.id], presentNotification);
}

export async function unreadCount(trx: Trx, actor: Actor): Promise<number> {
  return Notification.query(trx)
    .where({ ...ownRows(actor), deliveryState: 'delivered_in_app' })
    .resultSize();
}
