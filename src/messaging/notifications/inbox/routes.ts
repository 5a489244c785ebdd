// Routes of the caller's own inbox. No route takes a user's id.
import { ok } from '#core/http/answers.ts';
import { cuidParams, Empty, Nothing } from '#core/http/schemas.ts';
import type { ComposedCapabilities } from '#core/module/capability.ts';
import { route } from '#core/module/route.ts';
import { kindWords } from '../services.ts';
import { dismissNotification, markAllRead, markRead } from './marks.ts';
import { presentNotification } from './present.ts';
import { inboxPage, unreadCount } from './queries.ts';
import { inboxQuery, NotificationPage, NotificationView, ReadAllBody, UnreadView, UpdatedView } from './schemas.ts';
import { notificationInPath, ownInbox } from './scopes.ts';

const path = '/api/notifications';
const shared = { tag: 'notifications', allow: 'signed in' } as const;
const marking = {
  ...shared,
  method: 'post',
  demo: 'blocked',
  scope: notificationInPath,
  params: cuidParams,
  body: Empty,
  answers: { 200: NotificationView },
} as const;

const listing = ({ capabilities }: Pick<ComposedCapabilities, 'capabilities'>) =>
  route({
    ...shared,
    method: 'get',
    path,
    operation: 'listNotifications',
    summary: 'The notifications of the caller that are not dismissed: urgent first, then newest first',
    scope: ownInbox,
    demo: 'read',
    query: inboxQuery(kindWords(capabilities)),
    answers: { 200: NotificationPage },
    run: async ({ trx, actor, query }) => ok(await inboxPage(trx, actor, query)),
  });

const others = [
  route({
    ...shared,
    method: 'get',
    path: `${path}/unread-count`,
    operation: 'countUnreadNotifications',
    summary: 'How many are unread; with the ETag of the answer before, 304 while nothing has changed',
    scope: ownInbox,
    demo: 'read',
    answers: { 200: UnreadView, 304: Nothing },
    run: async ({ trx, actor }) => {
      const count = await unreadCount(trx, actor);
      return { ...ok({ count }), headers: { ETag: `"${count}"`, 'Cache-Control': 'private, no-cache' } };
    },
  }),
  route({
    ...marking,
    path: `${path}/:id/read`,
    operation: 'readNotification',
    summary: 'Mark one as read; twice is once',
    run: async ({ services, trx, actor, scope, now }) => {
      const row = await markRead(trx, actor, scope, now);
      services.notificationStreams.tell(trx, [actor.userId]);
      return ok(presentNotification(row));
    },
  }),
  route({
    ...marking,
    path: `${path}/:id/dismiss`,
    operation: 'dismissNotification',
    summary: 'Put one away for good; it is never listed again',
    run: async ({ services, trx, actor, scope, now }) => {
      const row = await dismissNotification(trx, actor, scope, now);
      services.notificationStreams.tell(trx, [actor.userId]);
      return ok(presentNotification(row));
    },
  }),
  route({
    ...shared,
    method: 'post',
    path: `${path}/mark-all-read`,
    operation: 'readAllNotifications',
    summary: 'Mark all as read, or those up to one: what arrived after it stays unread',
    scope: ownInbox,
    demo: 'blocked',
    body: ReadAllBody,
    answers: { 200: UpdatedView },
    errors: ['NOT_FOUND'],
    run: async ({ services, trx, actor, body, now }) => {
      const updated = await markAllRead(trx, actor, body.upTo, now);
      services.notificationStreams.tell(trx, [actor.userId]);
      return ok({ updated });
    },
  }),
];

export const inboxRoutes = (composed: Pick<ComposedCapabilities, 'capabilities'>) => [listing(composed), ...others];
