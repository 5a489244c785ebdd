// Routes of events in a live lesson: signals of clients, and the list for staff.
import { ok } from '#core/http/answers.ts';
import { defaultLimit, keyInCursor, pageOf } from '#core/http/pages.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { eventsAfter } from '../rows/events.ts';
import { liveInReach, liveShared } from '../scopes.ts';
import { presentForStaff } from './present.ts';
import { recordSignals } from './record.ts';
import { eventsQuery, LiveEventPage, Recorded, SignalsBody } from './schemas.ts';

const path = '/api/sync/sessions/:id/events';
const common = { path, tag: 'live-sessions', params: cuidParams } as const;

export const eventRoutes = [
  route({
    ...common,
    method: 'post',
    operation: 'recordLiveEvents',
    summary: 'Say that one is there, that a hand is up, that one leaves; that a segment begins or ends',
    allow: ['VIEW_OWN_CLASSES', 'TAKE_DIAGNOSTIC'],
    scope: liveShared,
    demo: 'blocked',
    body: SignalsBody,
    answers: { 202: Recorded },
    errors: ['CONFLICT'],
    run: async (ctx) => ({ status: 202 as const, body: await recordSignals(ctx, ctx.scope) }),
  }),
  route({
    ...common,
    method: 'get',
    operation: 'listLiveEvents',
    summary: 'All that has happened in a live session, in order',
    allow: ['VIEW_OWN_CLASSES'],
    scope: liveInReach,
    demo: 'read',
    query: eventsQuery,
    answers: { 200: LiveEventPage },
    run: async ({ trx, scope, query: { limit = defaultLimit, cursor } }) => {
      const [after = 0] = keyInCursor(cursor, ['count']) ?? [];
      const rows = await eventsAfter(trx, scope, Number(after), limit + 1);
      return ok(pageOf(rows, limit, ({ seq }) => [seq], presentForStaff));
    },
  }),
];
