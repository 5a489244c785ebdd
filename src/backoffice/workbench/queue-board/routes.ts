// The board of background work: queues, events, recomputes, schedules, processes, the last night and alerts on one page.
import Type from 'typebox';
import { tablesOnFallback } from '#assessment/skill-status/index.ts';
import { WorkStateView, workState } from '#backoffice/operations/index.ts';
import { ok } from '#core/http/answers.ts';
import { Count, Cuid, named, nullable, object, Timestamp } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { lastNight } from './night.ts';

const QueueBoard = named(
  'QueueBoard',
  object({
    queues: Type.Array(
      object({
        name: Type.String(),
        waiting: Count,
        active: Count,
        delayed: Count,
        oldestSeconds: Type.Number({ minimum: 0 }),
      }),
    ),
    ...WorkStateView,
    fallbacks: Type.Array(
      Type.String({ description: 'A version such as `bnd/bnd@4` that the reference engine answers for.' }),
    ),
    night: nullable(
      object({
        replayId: Cuid,
        at: Timestamp,
        counts: object({ same: Count, inputsDiffer: Count, rulesDiffer: Count }),
      }),
    ),
  }),
);

export const queueBoardRoutes = [
  route({
    method: 'get',
    path: '/api/admin/queues',
    operation: 'getQueueBoard',
    heavy: true,
    summary: 'How background work goes: queues, events, recomputes, schedules, processes, the last night',
    tag: 'operations',
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    answers: { 200: QueueBoard },
    // The store of the queues may be Redis, which is not asked while a transaction is open.
    prepare: async ({ services }) => services.queueStates,
    run: async ({ trx, services, now, prepared: queues }) =>
      ok({
        queues: [...queues],
        ...(await workState(trx, services, now)),
        fallbacks: [...(await tablesOnFallback(trx))].sort(),
        night: await lastNight(trx),
      }),
  }),
];
