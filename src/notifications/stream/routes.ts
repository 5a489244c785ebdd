// The stream beside polling: how much is unread, at once and on each change.
import { ok } from '../../http/answers.ts';
import { EventStream, EventStreamText } from '../../http/event-stream.ts';
import { route } from '../../kernel/route.ts';
import { ownInbox } from '../inbox/scopes.ts';

export const streamRoutes = [
  route({
    method: 'get',
    path: '/api/notifications/stream',
    operation: 'streamNotifications',
    summary: 'Hear how many are unread, at once and on each change, until the token ends',
    tag: 'notifications',
    allow: 'signed in',
    scope: ownInbox,
    demo: 'read',
    answers: { 200: EventStreamText },
    run: async ({ services, actor: { userId, sessionId, organizationId }, header, now }) => {
      const { notificationStreams: streams, tokens } = services;
      streams.requirePlace(userId);
      const expiresAt = await tokens.endOf(header('authorization'), now);
      return ok(new EventStream((sink) => streams.open({ userId, sessionId, organizationId }, expiresAt, sink)));
    },
  }),
];
