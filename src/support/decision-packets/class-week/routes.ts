// The route of the week of a class.
import { ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { classInReach } from '#identity/people/index.ts';
import { classWeek } from './class-week.ts';
import { ClassWeek, ClassWeekQuery } from './schemas.ts';

export const classWeekRoutes = [
  route({
    tag: 'interventions',
    allow: ['VIEW_OWN_CLASSES'],
    method: 'get',
    demo: 'read',
    path: '/api/classes/:id/week',
    operation: 'getClassWeek',
    heavy: true,
    errors: ['ENGINE_UNAVAILABLE'],
    summary: 'The week of a class: who was never measured, what is planned and held, and what waits',
    scope: classInReach(),
    params: idParams,
    query: ClassWeekQuery,
    answers: { 200: ClassWeek },
    run: async (ctx) => ok(await classWeek(ctx, ctx.scope, ctx.query.on)),
  }),
];
