// The route with which students submit answers in a live lesson.
import { created } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { lockLive } from '../rows/lock.ts';
import { liveJoined } from '../scopes.ts';
import { LiveBatchTaken, LiveResponsesBody } from './schemas.ts';
import { acceptAnswers } from './submit.ts';

export const answerRoutes = [
  route({
    tag: 'live-sessions',
    method: 'post',
    path: '/api/sync/sessions/:id/responses',
    operation: 'submitLiveResponses',
    summary: 'Answer the current item, or own ones; a batch may be sent again',
    allow: ['TAKE_DIAGNOSTIC'],
    scope: liveJoined,
    demo: 'blocked',
    params: cuidParams,
    body: LiveResponsesBody,
    answers: { 201: LiveBatchTaken },
    errors: ['CONFLICT'],
    run: async ({ services, trx, actor, scope: { organizationId, id }, body }) => {
      const row = await lockLive(trx, organizationId, id);
      return created(await acceptAnswers(trx, row, actor.userId, body.responses, services.clock.now()));
    },
  }),
];
