// The live impact of proposed rules, and the distribution of a fact in the questions that a table is asked.
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { factDistributionOf, scopeOfQuery } from './fact-distribution.ts';
import { liveImpactOf } from './impact.ts';
import { FactDistributionQuery, FactDistributionView, factParams, LiveImpactBody, LiveImpactView } from './schemas.ts';

const shared = {
  tag: 'rules workbench',
  allow: ['RUN_BACKOFFICE'],
  scope: platformData,
  demo: 'read',
  heavy: true,
  errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE'],
} as const;

export const liveRoutes = [
  route({
    ...shared,
    method: 'post',
    path: '/api/admin/live-impact',
    operation: 'liveImpact',
    summary: 'Count at once for whom proposed rules would change something; nothing is stored',
    readOnly: true,
    body: LiveImpactBody,
    bodyLimitBytes: 1024 * 1024,
    answers: { 200: LiveImpactView },
    prepare: async ({ services, trx, body, actor: { userId }, now }) =>
      liveImpactOf(services, trx, body, { userId, now }),
    run: async ({ prepared }) => ok(prepared),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/api/admin/rule-facts/:family/:key/:fact/distribution',
    operation: 'getFactDistribution',
    summary: 'How often a table is asked about each value of a fact, and for how many students',
    params: factParams,
    query: FactDistributionQuery,
    answers: { 200: FactDistributionView },
    prepare: async ({ services, trx, params, query, now }) =>
      factDistributionOf(services, trx, params, scopeOfQuery(query), now),
    run: async ({ prepared }) => ok(prepared),
  }),
];
