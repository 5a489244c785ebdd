// The route with the descriptions of bands, for teachers and for readers of counts.
import { ok } from '#core/http/answers.ts';
import { Nothing } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { bandsFor } from './read.ts';
import { AudienceQuery, BandDescriptions } from './schemas.ts';

export const bandRoutes = [
  route({
    method: 'get',
    path: '/api/reports/band-descriptions',
    operation: 'listBandDescriptions',
    summary: 'What each band means',
    tag: 'reports',
    allow: ['VIEW_OWN_CLASSES', 'VIEW_ORG_AGGREGATES', 'VIEW_SCHOOL_AGGREGATES'],
    scope: platformData,
    demo: 'read',
    query: AudienceQuery,
    answers: { 200: BandDescriptions, 304: Nothing },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, query, now }) => {
      const { rules } = await services.rules.at(trx, now);
      const { body, etag } = bandsFor(rules, query.audience ?? 'teacher');
      return { ...ok(body), headers: { etag, 'cache-control': 'private, max-age=86400' } };
    },
  }),
];
