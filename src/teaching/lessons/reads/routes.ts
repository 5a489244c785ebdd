// Reads of blueprint sessions: what fits a class today, one session, its past, and the pack for a device without network.
import { ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { classInReach } from '#identity/people/index.ts';
import { offlinePack, packOf } from '../offline/pack.ts';
import { OfflinePack } from '../offline/schemas.ts';
import { sessionAudit } from './audit.ts';
import { recommendedSessions } from './recommended.ts';
import { AuditQuery, RecommendedList, RecommendedQuery, SessionAuditList, SessionView } from './schemas.ts';
import { sessionInReach } from './scopes.ts';
import { sessionView } from './view.ts';

const reading = { method: 'get', tag: 'sessions', allow: ['VIEW_OWN_CLASSES'], demo: 'read' } as const;

export const sessionReads = [
  route({
    ...reading,
    path: '/api/sessions/catalog/recommended',
    operation: 'listRecommendedSessions',
    summary: 'Prepared sessions that fit the steps that students of a class are at',
    scope: ownOrganization,
    query: RecommendedQuery,
    answers: { 200: RecommendedList },
    errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, actor, query, now }) => {
      const params = { id: String(query.classId) };
      const { row } = await classInReach().resolve({ services, trx, actor, params, now });
      return ok(await recommendedSessions({ services, trx, now }, row, query));
    },
  }),
  route({
    ...reading,
    path: '/api/sessions/:id',
    operation: 'getSession',
    summary: 'One session with its recipients, segments and items, keys included',
    scope: sessionInReach,
    params: cuidParams,
    answers: { 200: SessionView },
    run: async (ctx) => ok(await sessionView(ctx, ctx.scope.session)),
  }),
  route({
    ...reading,
    path: '/api/sessions/:id/audit',
    operation: 'listSessionAudit',
    summary: 'What was done with a session and by whom, newest first',
    scope: sessionInReach,
    params: cuidParams,
    query: AuditQuery,
    answers: { 200: SessionAuditList },
    run: async ({ trx, scope, query }) => ok(await sessionAudit(trx, scope.session, query)),
  }),
  route({
    ...reading,
    path: '/api/sessions/:id/offline-pack',
    operation: 'getSessionOfflinePack',
    heavy: true,
    summary: 'Everything that a teacher’s device needs to teach a session for a day without network',
    scope: sessionInReach,
    params: cuidParams,
    discloses: ['pack'],
    answers: { 200: OfflinePack },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ trx, scope: { session }, now }) => ({
      ...ok(await offlinePack({ trx, now }, session)),
      discloses: [packOf(session)],
    }),
  }),
];
