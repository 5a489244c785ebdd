// Requests a sync manually.
import { Cuid, cuidParams, named, object } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { conflict } from '#core/platform/errors.ts';
import { lockConnection } from '../connections/rows.ts';
import { mappingsOf } from '../courses/queries.ts';
import { connectionInOrganization } from '../scopes.ts';
import { requestRun } from './rows.ts';

export const syncNowRoute = route({
  method: 'post',
  path: '/api/lms/connections/:id/sync-now',
  operation: 'syncLmsNow',
  summary: 'Synchronize now; while a sync is under way, that one',
  tag: 'lms',
  allow: ['MANAGE_LMS_CONNECTIONS'],
  scope: connectionInOrganization,
  demo: 'blocked',
  params: cuidParams,
  answers: { 202: named('LmsSyncAsked', object({ syncRunId: Cuid })) },
  errors: ['CONFLICT'],
  run: async ({ trx, actor, scope, services }) => {
    const connection = await lockConnection(trx, scope);
    if (connection?.status !== 'active') {
      throw conflict('connection_not_active', 'The connection has ended. Connect again first.');
    }
    if ((await mappingsOf(trx, connection)).length === 0) {
      throw conflict('no_mappings', 'No course is mapped to a class yet.');
    }
    const syncRunId = await requestRun(trx, connection, actor.userId, services.clock.now());
    return { status: 202 as const, body: { syncRunId } };
  },
});
