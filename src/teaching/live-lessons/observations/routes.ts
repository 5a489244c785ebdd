// The route with which teachers record observations.
import { created } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { LiveBatchTaken } from '../answers/schemas.ts';
import { lockLive } from '../rows/lock.ts';
import { liveTaught } from '../scopes.ts';
import { recordObservations } from './record.ts';
import { LiveObservationsBody } from './schemas.ts';

export const observationRoutes = [
  route({
    tag: 'live-sessions',
    method: 'post',
    path: '/api/sync/sessions/:id/observation',
    operation: 'recordLiveObservations',
    summary: 'Note how students take part; a batch may be sent again',
    allow: ['VIEW_OWN_CLASSES'],
    scope: liveTaught,
    demo: 'blocked',
    params: cuidParams,
    body: LiveObservationsBody,
    answers: { 201: LiveBatchTaken },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => {
      const row = await lockLive(ctx.trx, ctx.scope.organizationId, ctx.scope.id);
      const now = ctx.services.clock.now();
      return created(await recordObservations({ ...ctx, now }, row, ctx.body.observations));
    },
  }),
];
