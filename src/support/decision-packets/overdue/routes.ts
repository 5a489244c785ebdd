// The route of overdue work.
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { listOverdueWork } from './list.ts';
import { OverdueQuery, OverdueWorkList } from './schemas.ts';

export const overdueRoutes = [
  route({
    tag: 'rti',
    allow: ['VIEW_OWN_CLASSES'],
    method: 'get',
    demo: 'read',
    path: '/api/rti/overdue',
    operation: 'listOverdueWork',
    heavy: true,
    errors: ['ENGINE_UNAVAILABLE'],
    summary: 'Alerts, packets and plans past their due day among students in reach, the longest due first',
    scope: ownOrganization,
    query: OverdueQuery,
    answers: { 200: OverdueWorkList },
    run: async (ctx) => ok(await listOverdueWork(ctx)),
  }),
];
