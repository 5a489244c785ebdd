// Routes of imports: a batch is imported by one person of the backoffice and published by another.
import { created, ok } from '#core/http/answers.ts';
import { Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { ImportBody } from '../schemas.ts';
import { approveImport, prepareBatchApproval } from './approve.ts';
import { createImport, prepareImport } from './create.ts';
import { presentApproval, presentBatch } from './present.ts';
import { batchPage } from './queries.ts';
import { ApprovedBatch, BatchPage, BatchQuery, BatchView, batchParams } from './schemas.ts';
import { batchInPath, foreignBatchInPath } from './scopes.ts';

const path = '/api/session-blueprints';
const shared = { tag: 'session blueprints', allow: ['RUN_BACKOFFICE'] as const };
const importLimitBytes = 5 * 1024 * 1024;

export const importRoutes = [
  route({
    ...shared,
    method: 'post',
    path: `${path}/import`,
    operation: 'importBlueprints',
    heavy: true,
    summary: 'Bring in a batch of session blueprints; the rules say what is wrong with each',
    scope: platformData,
    demo: 'blocked',
    body: ImportBody,
    bodyLimitBytes: importLimitBytes,
    answers: { 201: BatchView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, body, now }) => prepareImport(services, trx, body, now),
    run: async ({ services, trx, body, actor, prepared }) =>
      created(presentBatch(await createImport(services, trx, body, prepared, actor.userId))),
  }),
  route({
    ...shared,
    method: 'get',
    path: `${path}/import`,
    operation: 'listBlueprintImports',
    summary: 'Batches that were brought in, the newest first',
    scope: platformData,
    demo: 'read',
    query: BatchQuery,
    answers: { 200: BatchPage },
    run: async ({ trx, query }) => ok(await batchPage(trx, query)),
  }),
  route({
    ...shared,
    method: 'get',
    path: `${path}/import/:batchId`,
    operation: 'getBlueprintImport',
    summary: 'One batch, with what the rules found in it',
    scope: batchInPath,
    demo: 'read',
    params: batchParams,
    answers: { 200: BatchView },
    run: async ({ scope }) => ok(presentBatch(scope)),
  }),
  route({
    ...shared,
    method: 'post',
    path: `${path}/:batchId/approve`,
    operation: 'approveBlueprintImport',
    heavy: true,
    summary: 'Publish a whole batch that another person imported; blueprints with unchanged content are skipped',
    scope: foreignBatchInPath,
    demo: 'blocked',
    params: batchParams,
    body: Empty,
    answers: { 200: ApprovedBatch },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, now }) => prepareBatchApproval(services, trx, scope, now),
    run: async ({ services, trx, scope, actor, prepared }) =>
      ok(presentApproval(scope.id, await approveImport(services, trx, scope, prepared, actor.userId))),
  }),
];
