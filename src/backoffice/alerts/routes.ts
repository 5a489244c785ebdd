// The alerts that sub-flags have raised, for staff. Students and parents never read them.
import { ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { classInReach } from '#identity/people/index.ts';
import { listClassAlerts } from './queries.ts';
import { PlatformAlertQuery, PlatformAlertView } from './schemas.ts';

export const platformAlertRoutes = [
  route({
    method: 'get',
    path: '/api/classes/:id/platform-alerts',
    operation: 'listClassPlatformAlerts',
    heavy: true,
    summary: 'Critical alerts and persisting error patterns of a class, newest first',
    tag: 'alerts',
    allow: ['VIEW_OWN_CLASSES'],
    scope: classInReach(),
    demo: 'read',
    params: idParams,
    query: PlatformAlertQuery,
    answers: { 200: PlatformAlertView },
    run: async ({ trx, scope, query }) => ok(await listClassAlerts(trx, scope, query)),
  }),
];
