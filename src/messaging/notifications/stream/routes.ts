// The stream beside polling: how much is unread, at once and on each change.
import { ok } from '#core/http/answers.ts';
import { EventStream, EventStreamText } from '#core/http/event-stream.ts';
import { route } from '#core/module/route.ts';
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
    // A place is taken before the request's own transaction, which only reads, and is found unused where that refuses.
    prepare:
      async ({ services, actor: { userId } }) =>
      () =>
        services.notificationStreams.takePlace(userId),
    run: async ({ services, actor: { userId, sessionId, organizationId }, prepared: place, header, now }) => {
      const { notificationStreams: streams, tokens } = services;
      const expiresAt = await tokens.endOf(header('authorization'), now);
      const listening = { claims: { userId, sessionId, organizationId }, expiresAt, place };
      return ok(new EventStream((sink) => streams.open(listening, sink)));
    },
  }),
];
