// Routes of the reason codes.
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { listReasonCodes } from './reason-codes.ts';
import { ReasonCodeList, ReasonCodeQuery } from './schemas.ts';

export const reasonCodeRoutes = [
  route({
    method: 'get',
    path: '/api/rti/reason-codes',
    operation: 'listReasonCodes',
    summary: 'Reasons that may be given, by scope, with their labels',
    tag: 'rti',
    allow: ['VIEW_OWN_CLASSES'],
    scope: platformData,
    demo: 'read',
    query: ReasonCodeQuery,
    answers: { 200: ReasonCodeList },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, query, now }) => ok(await listReasonCodes(services, trx, query.scope, now)),
  }),
];
