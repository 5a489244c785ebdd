// Scope of a notification in the path; one of another person is absent.
import type { Actor } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { Notification } from '../notification.ts';
import { ownRows } from './queries.ts';

export const notificationInPath: AppScope<Notification> = {
  reach: 'recipient',
  resolve: async ({ trx, actor, params }) => ({ row: await ownNotification(trx, actor, params.id ?? '') }),
};

/** All rows of the caller. */
export const ownInbox: AppScope<null> = { reach: 'recipient', resolve: async () => ({ row: null }) };

/** Throws NOT_FOUND. */
export async function ownNotification(trx: Trx, actor: Actor, id: string): Promise<Notification> {
  const row = await Notification.query(trx)
    .where({ ...ownRows(actor), id })
    .first();
  if (!row) throw notFound();
  return row;
}
