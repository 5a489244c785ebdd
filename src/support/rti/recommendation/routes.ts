// Routes of the recommendation about a student's tier, which is computed for each request. Nothing is written.
import { ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { studentInReach } from '#identity/people/index.ts';
import { readAdvice } from './reads.ts';
import { AdviceView } from './schemas.ts';

export const tierRecommendationRoutes = [
  route({
    method: 'get',
    path: '/api/rti/students/:id/recommendation',
    operation: 'getRtiRecommendation',
    summary: 'What is recommended about the student’s tier now, why, and when a decision would be possible',
    tag: 'rti',
    allow: ['VIEW_OWN_CLASSES'],
    scope: studentInReach(),
    demo: 'read',
    params: idParams,
    answers: { 200: AdviceView },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, now }) => ok(await readAdvice(services, trx, scope, now)),
  }),
];
