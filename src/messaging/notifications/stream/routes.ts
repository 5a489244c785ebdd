// The event stream of unread counts: the present one at once, and one for each change.
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
    // The slot is taken before the transaction of the request, which only reads. A slot whose request is refused is freed as
    // unused.
    prepare:
      async ({ services, actor: { userId } }) =>
      () =>
        services.notificationStreams.takeSlot(userId),
    run: async ({ services, actor: { userId, sessionId, organizationId }, prepared: slot, header, now }) => {
      const { notificationStreams: streams, tokens } = services;
      const expiresAt = await tokens.endOf(header('authorization'), now);
      const listening = { claims: { userId, sessionId, organizationId }, expiresAt, slot };
      return ok(new EventStream((sink) => streams.open(listening, sink)));
    },
  }),
];
