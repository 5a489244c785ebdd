// Routes of the next-data plans of a student and of a class.
import { ok } from '#core/http/answers.ts';
import type { PrefetchRequest } from '#core/http/route.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import { classInReach, studentInReach, teachersAndAdmins } from '#identity/people/index.ts';
import { classPlan, studentPlan } from './next-data.ts';
import { ClassPlanQuery, ClassPlanView, StudentPlanView, usualSessionMinutes } from './schemas.ts';

const shared = {
  method: 'get',
  tag: 'skill status',
  allow: ['VIEW_OWN_CLASSES', 'RUN_BACKOFFICE'],
  demo: 'read',
  params: idParams,
  prefetch: ({ services, trx, now }: PrefetchRequest<Services>) => services.rules.prefetch(trx, now),
} as const;

export const nextDataRoutes = [
  route({
    ...shared,
    path: '/api/sse/students/:id/next-data-plan',
    operation: 'getStudentNextDataPlan',
    summary: 'The least measuring that ends every halt and fills the required roles',
    scope: studentInReach(teachersAndAdmins),
    answers: { 200: StudentPlanView },
    run: async ({ services, trx, scope, now }) => ok(await studentPlan(services, trx, scope, now)),
  }),
  route({
    ...shared,
    path: '/api/sse/classes/:id/next-data-plan',
    operation: 'getClassNextDataPlan',
    heavy: true,
    summary: 'The plans of a class as sessions of a length',
    scope: classInReach(teachersAndAdmins),
    query: ClassPlanQuery,
    answers: { 200: ClassPlanView },
    run: async ({ services, trx, scope, query, now }) =>
      ok(await classPlan(services, trx, scope, query.minutesPerSession ?? usualSessionMinutes, now)),
  }),
];
