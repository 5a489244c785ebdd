// Lists syncs, and reverts them.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import {
  Count,
  Cuid,
  cuidParams,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { runErrors, runStates, runTriggers } from '../enums.ts';
import { newestFirst } from '../newest-first.ts';
import { forOrganization, ProviderName } from '../schemas.ts';
import { organizationFilter, runInOrganization } from '../scopes.ts';
import { revertRun } from './revert.ts';
import { LmsSyncRun } from './rows.ts';

const SyncRunView = named(
  'LmsSyncRun',
  object({
    syncRunId: Cuid,
    connectionId: Cuid,
    provider: ProviderName,
    trigger: oneOf(runTriggers),
    state: oneOf(runStates),
    startedAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
    counts: nullable(object({ created: Count, updated: Count, skipped: Count, conflicts: Count })),
    previewId: nullable(Cuid),
    errorCode: nullable(oneOf(runErrors)),
  }),
);

const RevertBody = named('LmsRevertBody', object({ skipChanged: Type.Optional(Type.Boolean()) }));

const presentRun = (run: LmsSyncRun) => {
  const {
    id: syncRunId,
    connectionId,
    provider,
    trigger,
    state,
    startedAt,
    endedAt,
    counts,
    previewId,
    errorCode,
  } = run;
  return { syncRunId, connectionId, provider, trigger, state, startedAt, endedAt, counts, previewId, errorCode };
};

export const runRoutes = [
  route({
    method: 'get',
    path: '/api/lms/sync-runs',
    operation: 'listLmsSyncRuns',
    summary: 'Syncs, commits and reverts, newest first',
    tag: 'lms',
    allow: ['MANAGE_ROSTER'],
    scope: ownOrganization,
    demo: 'read',
    query: object({ ...pageQuery, ...forOrganization }),
    answers: { 200: page(SyncRunView) },
    errors: ['NOT_FOUND'],
    run: async ({ trx, actor, query }) =>
      ok(
        await newestFirst(
          LmsSyncRun.query(trx),
          { ...query, organizationId: organizationFilter(actor, query.organizationId) },
          presentRun,
        ),
      ),
  }),
  route({
    method: 'post',
    path: '/api/lms/sync-runs/:id/revert',
    operation: 'revertLmsSyncRun',
    heavy: true,
    summary: 'Take back what a sync has changed, in one transaction',
    tag: 'lms',
    allow: ['MANAGE_ROSTER'],
    scope: runInOrganization,
    demo: 'blocked',
    params: cuidParams,
    body: RevertBody,
    answers: { 200: object({ reverted: Count, kept: Count }) },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, body, services }) =>
      ok(await revertRun(trx, scope, { skipChanged: body.skipChanged ?? false, clock: () => services.clock.now() })),
  }),
];
