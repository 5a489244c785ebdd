// Notifications: each request is about one of the caller's own.
import { newId } from '#core/platform/ids.ts';
import { buildNotification } from '../../messaging/notifications/rows.ts';
import type { Aim, Entries } from '../requests/entry.ts';

async function own({ app, caller }: Aim) {
  if (!caller) return { params: { id: newId() } };
  const createdAt = app.clock.now().toISOString();
  return { params: { id: await buildNotification(app.database.owner, caller, { createdAt }) } };
}

export const notificationEntries: Entries = {
  listNotifications: {},
  countUnreadNotifications: {},
  readNotification: { request: own },
  dismissNotification: { request: own },
  readAllNotifications: { request: () => ({ body: {} }) },
  streamNotifications: {},
};
