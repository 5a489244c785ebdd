// The route of the sub-skill report.
import { ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { studentInReach } from '#identity/people/index.ts';
import { subSkillReport } from './report.ts';
import { SubSkillReport } from './schemas.ts';

export const studentReportRoutes = [
  route({
    method: 'get',
    path: '/api/reports/students/:id/sub-skill-report',
    operation: 'getSubSkillReport',
    summary: 'What is known of a student, sub-skill by sub-skill, or what to measure next',
    tag: 'reports',
    allow: ['VIEW_OWN_CLASSES'],
    scope: studentInReach(),
    demo: 'read',
    params: idParams,
    answers: { 200: SubSkillReport },
    errors: ['ENGINE_UNAVAILABLE'],
    prefetch: ({ services, trx, now }) => services.rules.prefetch(trx, now),
    run: async ({ services, trx, scope, now }) => ok(await subSkillReport(services, trx, scope, now)),
  }),
];
