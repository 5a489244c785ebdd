// The benchmark that is in force for a cell, and the report to a ministry, which no ministry has requested yet.
import Type from 'typebox';
import { benchmarksOf, measureCodes, resolveBenchmark, resolvedBy } from '#assessment/measurement/index.ts';
import { ok } from '#core/http/answers.ts';
import { ErrorEnvelope, named, object, oneOf } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization, platformData } from '#core/module/scopes.ts';
import { unavailable } from '#core/platform/errors.ts';
import { Country } from '#identity/people/index.ts';
import { seasons } from '#rules/catalogue/index.ts';
import { profile } from './profiles/schemas.ts';

const tag = 'standards';

const ResolveQuery = object({
  country: Country,
  grade: Type.Integer({ minimum: 1, maximum: 4 }),
  measureCode: oneOf(measureCodes),
  season: oneOf(seasons),
});
const ResolvedView = named('ResolvedBenchmark', object({ ...profile, resolvedBy: oneOf(resolvedBy) }));

export const standardRoutes = [
  route({
    method: 'get',
    path: '/api/standards/benchmark-profiles/resolve',
    operation: 'resolveBenchmarkProfile',
    summary: 'The benchmark in force for a cell: its own, else its country’s, else the one of every country',
    tag,
    allow: ['VIEW_OWN_CLASSES', 'VIEW_ORG_AGGREGATES', 'VIEW_SCHOOL_AGGREGATES'],
    scope: platformData,
    demo: 'read',
    query: ResolveQuery,
    answers: { 200: ResolvedView },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, query, now }) => {
      const { rules } = await services.rules.at(trx, now);
      const found = resolveBenchmark(benchmarksOf(rules), query);
      if (!found) throw unavailable('No benchmark is in force.');
      const { measureCode, ...rest } = found;
      return ok({ ...rest, measureCode: query.measureCode, status: 'active' as const });
    },
  }),
  route({
    method: 'get',
    path: '/api/standards/ministry-report',
    operation: 'getMinistryReport',
    heavy: true,
    summary: 'Not built: no ministry has specified what it wants to read',
    tag,
    allow: ['VIEW_ORG_AGGREGATES'],
    scope: ownOrganization,
    demo: 'read',
    answers: { 501: ErrorEnvelope },
    run: async () => ({
      status: 501 as const,
      body: { code: 'NOT_IMPLEMENTED', message: 'There is no report to a ministry yet.' },
    }),
  }),
];
