// Routes of the catalogue of bundles, with steps and grades.
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { bundleById, bundlePage } from './queries.ts';
import { BundleList, BundleQuery, BundleView, bundleParams } from './schemas.ts';

const reading = { tag: 'interventions', allow: ['VIEW_OWN_CLASSES'] as const, demo: 'read' as const };

export const bundleRoutes = [
  route({
    ...reading,
    method: 'get',
    path: '/api/bundles',
    operation: 'listBundles',
    summary: 'Bundles of the catalogue in force, by id',
    scope: platformData,
    query: BundleQuery,
    answers: { 200: BundleList },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, query, now }) => ok(await bundlePage(services, trx, query, now)),
  }),
  route({
    ...reading,
    method: 'get',
    path: '/api/bundles/:bundle_id',
    operation: 'getBundle',
    summary: 'One bundle with its steps',
    scope: platformData,
    params: bundleParams,
    answers: { 200: BundleView },
    errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, params, now }) => ok(await bundleById(services, trx, params.bundle_id, now)),
  }),
];
