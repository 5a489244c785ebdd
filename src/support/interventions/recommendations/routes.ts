// Routes of a student's recommendation and its reasons.
import { ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { studentInReach } from '#identity/people/index.ts';
import { readReasons, readRecommendation } from './reads.ts';
import { RecommendationView, WhyView } from './schemas.ts';

const ofStudent = {
  method: 'get',
  tag: 'interventions',
  allow: ['VIEW_OWN_CLASSES'],
  scope: studentInReach(),
  demo: 'read',
  params: idParams,
  errors: ['ENGINE_UNAVAILABLE'],
} as const;

export const bundleRecommendationRoutes = [
  route({
    ...ofStudent,
    path: '/api/students/:id/bundle-recommendation',
    operation: 'getBundleRecommendation',
    summary: 'The one bundle that is recommended now, or what to measure first',
    answers: { 200: RecommendationView },
    run: async ({ services, trx, scope, now }) => ok(await readRecommendation(services, trx, scope, now)),
  }),
  route({
    ...ofStudent,
    path: '/api/students/:id/bundle-recommendation/why',
    operation: 'explainBundleRecommendation',
    heavy: true,
    summary: 'Why this bundle, and why none of the others',
    answers: { 200: WhyView },
    run: async ({ services, trx, scope, now }) => ok(await readReasons(services, trx, scope, now)),
  }),
];
