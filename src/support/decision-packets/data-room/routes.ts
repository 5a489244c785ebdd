// Routes of the data room.
import { ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { studentInReach } from '#identity/people/index.ts';
import { dataRoom } from './data-room.ts';
import { DataRoomView } from './schemas.ts';

export const dataRoomRoutes = [
  route({
    method: 'get',
    path: '/api/students/:id/data-room',
    operation: 'getDataRoom',
    heavy: true,
    summary: 'Everything that is known of a student’s support: profile, tier, alert, recommendation, plans, packets',
    tag: 'decision-packets',
    allow: ['VIEW_OWN_CLASSES'],
    scope: studentInReach(),
    demo: 'read',
    params: idParams,
    answers: { 200: DataRoomView },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async (ctx) => ok(await dataRoom(ctx, ctx.scope)),
  }),
];
