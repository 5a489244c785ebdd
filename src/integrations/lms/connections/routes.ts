// Lists and ends the connections of an organization to learning platforms.
import { noContent, ok } from '#core/http/answers.ts';
import { cuidParams, NoContent, object, page, pageQuery } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import type { Trx } from '#core/platform/db.ts';
import { outermostOf } from '#core/platform/pubsub/publisher.ts';
import { openSource } from '../provider.ts';
import { forOrganization, LmsConnectionView } from '../schemas.ts';
import { connectionInOrganization, organizationFilter } from '../scopes.ts';
import { disconnect, listConnections } from './connections.ts';

const tag = 'lms';

export const connectionRoutes = [
  route({
    method: 'get',
    path: '/api/lms/connections',
    operation: 'listLmsConnections',
    summary: 'Connections to learning platforms, newest first',
    tag,
    allow: ['MANAGE_LMS_CONNECTIONS'],
    scope: ownOrganization,
    demo: 'read',
    query: object({ ...pageQuery, ...forOrganization }),
    answers: { 200: page(LmsConnectionView) },
    errors: ['NOT_FOUND'],
    run: async ({ trx, actor, query, now }) =>
      ok(
        await listConnections(trx, { ...query, organizationId: organizationFilter(actor, query.organizationId) }, now),
      ),
  }),
  route({
    method: 'delete',
    path: '/api/lms/connections/:id',
    operation: 'deleteLmsConnection',
    summary: 'Disconnect: tokens, files and the next sync go; people and mappings stay',
    tag,
    allow: ['MANAGE_LMS_CONNECTIONS'],
    scope: connectionInOrganization,
    demo: 'blocked',
    params: cuidParams,
    answers: { 204: NoContent },
    run: async ({ trx, scope, services }) => {
      const source = scope.status === 'active' ? openSource(services, scope) : undefined;
      const hadEnded = await disconnect(trx, scope, () => services.clock.now());
      if (!hadEnded && source) {
        afterCommit(
          trx,
          () => source.revoke(),
          (error) =>
            services.log.warn({ err: error, connectionId: scope.id }, 'access to a provider could not be revoked'),
        );
      }
      return noContent();
    },
  }),
];

/** Starts the work once the outermost transaction has committed, and not at all when it is rolled back. */
function afterCommit(trx: Trx, work: () => Promise<void>, failed: (error: unknown) => void): void {
  outermostOf(trx).executionPromise.then(
    () => work().catch(failed),
    () => {},
  );
}
