// Routes that list celebrations and mark them as seen.
import { ok } from '#core/http/answers.ts';
import { Empty, idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { celebrationsOf, markSeen } from './celebrations.ts';
import { Celebration, CelebrationList, CelebrationQuery, celebrationParams } from './schemas.ts';
import { celebratedStudent, ownCelebration } from './scopes.ts';

const common = { tag: 'gamification', allow: ['VIEW_OWN_CLASSES', 'TAKE_DIAGNOSTIC'] } as const;

export const celebrationRoutes = [
  route({
    ...common,
    method: 'get',
    path: '/api/students/:id/gamification/celebrations',
    operation: 'listCelebrations',
    summary: 'What is celebrated with a student, newest first',
    scope: celebratedStudent,
    demo: 'read',
    params: idParams,
    query: CelebrationQuery,
    answers: { 200: CelebrationList },
    run: async ({ trx, scope, query }) => ok(await celebrationsOf(trx, scope, query)),
  }),
  route({
    ...common,
    method: 'post',
    path: '/api/students/:id/gamification/celebrations/:celebrationId/seen',
    operation: 'markCelebrationSeen',
    summary: 'Say that a celebration was shown; twice is once',
    scope: ownCelebration,
    demo: 'blocked',
    params: celebrationParams,
    body: Empty,
    answers: { 200: Celebration },
    run: async ({ trx, scope, now }) => ok(await markSeen(trx, scope, now)),
  }),
];
