// Routes of a student's status, and of an evaluation on request.
import { ok } from '#core/http/answers.ts';
import { Empty, idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { studentInReach, teachersAndAdmins } from '#identity/people/index.ts';
import { EvaluatedView, RtiStatusView } from './schemas.ts';
import { evaluateNow, rtiStatus } from './status.ts';

const common = { tag: 'rti', allow: ['VIEW_OWN_CLASSES'], params: idParams } as const;

export const statusRoutes = [
  route({
    ...common,
    method: 'get',
    path: '/api/rti/students/:id/status',
    operation: 'getRtiStatus',
    summary: 'A student’s tier, the open alert, and the states of sub-skills over time',
    demo: 'read',
    scope: studentInReach(),
    answers: { 200: RtiStatusView },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async (ctx) => ok(await rtiStatus(ctx)),
  }),
  route({
    ...common,
    method: 'post',
    path: '/api/rti/students/:id/evaluate',
    operation: 'evaluateRti',
    summary: 'Evaluate a student’s alerts now; a second call changes nothing',
    demo: 'blocked',
    scope: studentInReach(teachersAndAdmins),
    body: Empty,
    answers: { 200: EvaluatedView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => ok(await evaluateNow(ctx)),
  }),
];
