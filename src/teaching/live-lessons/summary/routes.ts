// The route of the summary of a live lesson.
import { ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { liveInReach } from '../scopes.ts';
import { LiveSummary } from './schemas.ts';
import { liveSummary } from './summary.ts';

export const summaryRoutes = [
  route({
    tag: 'live-sessions',
    method: 'get',
    path: '/api/sync/sessions/:id/summary',
    operation: 'getLiveSummary',
    heavy: true,
    summary: 'Who took part, what was answered and observed, and what was delivered',
    allow: ['VIEW_OWN_CLASSES'],
    scope: liveInReach,
    demo: 'read',
    params: cuidParams,
    answers: { 200: LiveSummary },
    run: async ({ trx, scope }) => ok(await liveSummary(trx, scope)),
  }),
];
