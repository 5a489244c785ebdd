// Routes of practice: create a queue from a finished diagnostic, and work on it.
import { created, ok } from '#core/http/answers.ts';
import { Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { anySignedIn } from '#core/module/scopes.ts';
import { ResponseBody } from '../diagnostics/schemas.ts';
import { presentQueue } from './present.ts';
import { practisedSession } from './queue.ts';
import { submitAnswer } from './respond.ts';
import { CurrentQueue, NextPracticeItem, PracticeFeedback, QueueView, seedParams } from './schemas.ts';
import { seedQueue } from './seed.ts';
import { servePractice } from './serve.ts';
import { currentQueue, loadQueue } from './store.ts';

const tag = 'practice';
const ofStudent = { tag, allow: ['TAKE_DIAGNOSTIC'], scope: anySignedIn } as const;

export const practiceRoutes = [
  route({
    tag,
    method: 'post',
    path: '/api/practice/queues/seed/:diagnosticSessionId',
    operation: 'seedPracticeQueue',
    summary: 'Make the queue of a finished diagnostic; an older active one is replaced',
    allow: ['TAKE_DIAGNOSTIC', 'USE_DIAGNOSTIC_ENGINE'],
    scope: practisedSession,
    demo: 'loop',
    params: seedParams,
    body: Empty,
    answers: { 200: QueueView, 201: QueueView },
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, now }) => {
      const seeded = await seedQueue(services, trx, scope, now);
      return seeded.isNew ? created(presentQueue(seeded)) : ok(presentQueue(seeded));
    },
  }),
  route({
    ...ofStudent,
    method: 'get',
    path: '/api/practice/queues/current',
    operation: 'getPracticeQueue',
    summary: 'The own newest queue',
    demo: 'read',
    answers: { 200: CurrentQueue },
    run: async ({ trx, actor }) => {
      const queue = await currentQueue(trx, actor.userId);
      return ok({ queue: queue ? presentQueue(await loadQueue(trx, queue)) : null });
    },
  }),
  route({
    ...ofStudent,
    method: 'post',
    path: '/api/practice/queues/current/next-item',
    operation: 'servePracticeItem',
    summary: 'The next item; the same one until it is answered',
    demo: 'loop',
    body: Empty,
    answers: { 200: NextPracticeItem },
    run: async ({ services, trx, actor, now }) => ok(await servePractice(services, trx, actor.userId, now)),
  }),
  route({
    ...ofStudent,
    method: 'post',
    path: '/api/practice/queues/current/submit-response',
    operation: 'submitPracticeResponse',
    summary: 'Answer or skip the served item',
    demo: 'loop',
    body: ResponseBody,
    answers: { 200: PracticeFeedback },
    errors: ['CONFLICT'],
    run: async ({ services, trx, actor, body, now }) => ok(await submitAnswer(services, trx, actor.userId, body, now)),
  }),
];
