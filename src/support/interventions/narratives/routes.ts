// Routes of narratives for the backoffice: one person proposes, another approves or rejects.
import { created, ok } from '#core/http/answers.ts';
import { cuidParams, Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { presentNarrative } from './present.ts';
import { createNarrative, prepareNarrative } from './proposals/create.ts';
import { approveNarrative, prepareNarrativeApproval, rejectNarrative } from './proposals/review.ts';
import { pendingPage } from './queries.ts';
import { NarrativeBody, NarrativeView, PendingPage, PendingQuery, RejectBody } from './schemas.ts';
import { foreignNarrativeInPath, narrativeInPath } from './scopes.ts';

const path = '/api/admin/profile-narratives';
const shared = { tag: 'interventions', allow: ['RUN_BACKOFFICE'] as const };
const writing = { ...shared, method: 'post', demo: 'blocked', errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'] } as const;

export const narrativeRoutes = [
  route({
    ...shared,
    method: 'get',
    path: `${path}/pending-review`,
    operation: 'listPendingNarratives',
    summary: 'Texts that wait for a second person, oldest first',
    scope: platformData,
    demo: 'read',
    query: PendingQuery,
    answers: { 200: PendingPage },
    run: async ({ trx, query }) => ok(await pendingPage(trx, query)),
  }),
  route({
    ...writing,
    path,
    operation: 'createNarrative',
    heavy: true,
    summary: 'Propose what teachers or parents read of a profile; every value of its variables passes the filter',
    scope: platformData,
    body: NarrativeBody,
    answers: { 201: NarrativeView },
    prepare: async ({ services, trx, body, now }) => prepareNarrative(services, trx, body, now),
    run: async ({ services, trx, actor, prepared }) =>
      created(presentNarrative(await createNarrative(services, trx, prepared, actor.userId))),
  }),
  route({
    ...writing,
    path: `${path}/:id/approve`,
    operation: 'approveNarrative',
    heavy: true,
    summary: 'Approve a text that another person wrote; it replaces the one in force',
    scope: foreignNarrativeInPath,
    params: cuidParams,
    body: Empty,
    answers: { 200: NarrativeView },
    prepare: async ({ services, trx, scope, now }) => prepareNarrativeApproval(services, trx, scope, now),
    run: async ({ services, trx, scope, actor, prepared }) =>
      ok(presentNarrative(await approveNarrative(services, trx, scope, prepared, actor.userId))),
  }),
  route({
    ...writing,
    path: `${path}/:id/reject`,
    operation: 'rejectNarrative',
    summary: 'Reject a text, with a reason; it is closed for good',
    scope: narrativeInPath,
    params: cuidParams,
    body: RejectBody,
    answers: { 200: NarrativeView },
    run: async ({ services, trx, scope, body, actor }) =>
      ok(presentNarrative(await rejectNarrative(services, trx, scope, body.reasonCode, actor.userId))),
  }),
];
