// Routes that read lessons: recommendations, one lesson, its audit trail and its offline pack.
import { ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { classInReach } from '#identity/people/index.ts';
import { offlinePack, packDisclosure } from '../offline/pack.ts';
import { OfflinePack } from '../offline/schemas.ts';
import { lessonAudit } from './audit.ts';
import { recommendedLessons } from './recommended.ts';
import { LessonAuditList, LessonAuditQuery, LessonView, RecommendedList, RecommendedQuery } from './schemas.ts';
import { lessonInReach } from './scopes.ts';
import { lessonView } from './view.ts';

const reading = { method: 'get', tag: 'sessions', allow: ['VIEW_OWN_CLASSES'], demo: 'read' } as const;

export const lessonReadRoutes = [
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
      return ok(await recommendedLessons({ services, trx, now }, row, query));
    },
  }),
  route({
    ...reading,
    path: '/api/sessions/:id',
    operation: 'getSession',
    summary: 'One session with its recipients, segments and items, keys included',
    scope: lessonInReach,
    params: cuidParams,
    answers: { 200: LessonView },
    run: async (ctx) => ok(await lessonView(ctx, ctx.scope.lesson)),
  }),
  route({
    ...reading,
    path: '/api/sessions/:id/audit',
    operation: 'listSessionAudit',
    summary: 'What was done with a session and by whom, newest first',
    scope: lessonInReach,
    params: cuidParams,
    query: LessonAuditQuery,
    answers: { 200: LessonAuditList },
    run: async ({ trx, scope, query }) => ok(await lessonAudit(trx, scope.lesson, query)),
  }),
  route({
    ...reading,
    path: '/api/sessions/:id/offline-pack',
    operation: 'getSessionOfflinePack',
    heavy: true,
    summary: 'Everything that a teacher’s device needs to teach a session for a day without network',
    scope: lessonInReach,
    params: cuidParams,
    discloses: ['pack'],
    answers: { 200: OfflinePack },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ trx, scope: { lesson }, now }) => ({
      ...ok(await offlinePack({ trx, now }, lesson)),
      discloses: [packDisclosure(lesson)],
    }),
  }),
];
