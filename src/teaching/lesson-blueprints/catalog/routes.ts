// Routes of published blueprints: the catalogue and single blueprints.
import { ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import type { AppScope } from '#core/module/route.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { notFound } from '#core/platform/errors.ts';
import { presentBlueprint } from '../present.ts';
import { findBlueprint, type StoredBlueprint } from '../rows/blueprints.ts';
import { BlueprintView } from '../schemas.ts';
import { catalogPage, requireKnownWords } from './queries.ts';
import { CatalogPage, CatalogQuery } from './schemas.ts';

const reading = {
  tag: 'session blueprints',
  allow: ['VIEW_OWN_CLASSES', 'RUN_BACKOFFICE'] as const,
  demo: 'read' as const,
  method: 'get' as const,
};

/** The blueprint of a path, active or superseded: a lesson keeps the version from which it was created. */
const blueprintInPath: AppScope<StoredBlueprint> = {
  reach: 'P',
  resolve: async ({ trx, params }) => {
    const row = await findBlueprint(trx, params.id ?? '');
    if (!row) throw notFound();
    return { row };
  },
};

export const catalogRoutes = [
  route({
    ...reading,
    path: '/api/session-blueprints/:id',
    operation: 'getBlueprint',
    summary: 'One published blueprint with its items and their keys, for those who teach',
    scope: blueprintInPath,
    params: cuidParams,
    answers: { 200: BlueprintView },
    run: async ({ scope }) => ok(presentBlueprint(scope)),
  }),
  route({
    ...reading,
    path: '/api/sessions/catalog',
    operation: 'listSessionCatalog',
    summary: 'Active blueprints without their items, by bundle, step and code',
    scope: platformData,
    query: CatalogQuery,
    answers: { 200: CatalogPage },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, query, now }) => {
      await requireKnownWords(services, trx, query, now);
      return ok(await catalogPage(trx, query));
    },
  }),
];
