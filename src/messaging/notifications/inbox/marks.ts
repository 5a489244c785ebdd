// Marks notifications as read or dismissed. Both are final.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { lockingRows } from '#core/platform/locks.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { Notification } from '../notification.ts';
import { ownRows } from './queries.ts';
import { ownNotification } from './scopes.ts';

/** Returns the row afterwards; a read or dismissed row is not changed. */
export async function markRead(trx: Trx, actor: Actor, { id }: Notification, now: Date): Promise<Notification> {
  await Notification.query(trx)
    .where({ ...ownRows(actor), id, deliveryState: 'delivered_in_app' })
    .update({ deliveryState: 'read', readAt: now.toISOString() });
  return ownNotification(trx, actor, id);
}

export async function dismissNotification(
  trx: Trx,
  actor: Actor,
  { id }: Notification,
  now: Date,
): Promise<Notification> {
  await Notification.query(trx)
    .where({ ...ownRows(actor), id })
    .whereNot({ deliveryState: 'dismissed' })
    .update({ deliveryState: 'dismissed', dismissedAt: now.toISOString() });
  return ownNotification(trx, actor, id);
}

/** Returns how many were unread. Throws NOT_FOUND when `upTo` belongs to another person. */
export async function markAllRead(trx: Trx, actor: Actor, upTo: string | undefined, now: Date): Promise<number> {
  const last = upTo === undefined ? undefined : await ownNotification(trx, actor, upTo);
  const { organizationId, recipientUserId } = ownRows(actor);
  const rows = await rowsOf(
    trx,
    `with unread as (
       select n.organization_id, n.id from notification n
       where n.organization_id = :organizationId and n.recipient_user_id = :recipientUserId
         and n.delivery_state = 'delivered_in_app'
         and (:at::timestamptz is null or (n.created_at, n.id) <= (:at::timestamptz, :id))
       order by n.id ${lockingRows('notification', 'change', 'n')})
     update notification n set delivery_state = 'read', read_at = :now::timestamptz
     from unread where n.organization_id = unread.organization_id and n.id = unread.id
     returning n.id`,
    { organizationId, recipientUserId, at: last?.createdAt ?? null, id: last?.id ?? null, now: now.toISOString() },
  );
  return rows.length;
}
