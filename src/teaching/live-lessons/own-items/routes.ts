// The route that starts a run of own items.
import { created, ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { lockLive } from '../rows/lock.ts';
import { liveTaught } from '../scopes.ts';
import { NothingOwnLeft, OwnRunBody, OwnRunStarted } from './schemas.ts';
import { startOwnRun } from './start.ts';

export const ownItemRoutes = [
  route({
    tag: 'live-sessions',
    method: 'post',
    path: '/api/sync/sessions/:id/ism-run',
    operation: 'startIsmRun',
    summary: 'Let one member work through own items while the class goes on',
    allow: ['VIEW_OWN_CLASSES'],
    scope: liveTaught,
    demo: 'blocked',
    params: cuidParams,
    body: OwnRunBody,
    answers: { 200: NothingOwnLeft, 201: OwnRunStarted },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => {
      const row = await lockLive(ctx.trx, ctx.scope.organizationId, ctx.scope.id);
      const started = await startOwnRun({ ...ctx, now: ctx.services.clock.now() }, row, ctx.body);
      if (!started) return ok({ outcome: 'no_eligible_item' as const, served: null });
      const { run, items } = started;
      return created({
        ismRunId: run.id,
        studentId: run.studentId,
        state: 'running' as const,
        items: [...items],
      });
    },
  }),
];
