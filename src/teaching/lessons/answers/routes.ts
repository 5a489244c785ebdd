// Routes of distributed lessons and their answers, from students and from a teacher’s offline device.
import { created, ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { anySignedIn } from '#core/module/scopes.ts';
import { lessonOfTeacher } from '../reads/scopes.ts';
import { assignedLessons } from './assigned.ts';
import { AcceptedResponses, AssignedList, AssignedQuery, OfflineBody, ResponsesBody } from './schemas.ts';
import { ownLessonOfRecipient } from './scopes.ts';
import { submitOffline, submitOwn } from './submit.ts';

const submitting = { method: 'post', tag: 'sessions', demo: 'blocked', errors: ['CONFLICT'] } as const;

export const lessonAnswerRoutes = [
  route({
    method: 'get',
    tag: 'sessions',
    allow: ['TAKE_DIAGNOSTIC'],
    demo: 'read',
    path: '/api/sessions/assigned',
    operation: 'listAssignedSessions',
    summary: 'Sessions that are laid out for the calling student, newest first',
    scope: anySignedIn,
    query: AssignedQuery,
    answers: { 200: AssignedList },
    run: async (ctx) => ok(await assignedLessons(ctx, ctx.query)),
  }),
  route({
    ...submitting,
    allow: ['TAKE_DIAGNOSTIC'],
    path: '/api/sessions/:id/responses',
    operation: 'submitSessionResponses',
    summary: 'Answers of the calling student; the first one to an item counts',
    scope: ownLessonOfRecipient,
    params: cuidParams,
    body: ResponsesBody,
    answers: { 201: AcceptedResponses },
    run: async ({ trx, actor, scope, body, now }) => {
      const own = body.responses.map((answer) => ({ ...answer, studentId: actor.userId }));
      return created(await submitOwn(trx, scope, own, { way: 'online', sentBy: actor.userId, now }));
    },
  }),
  route({
    ...submitting,
    allow: ['VIEW_OWN_CLASSES'],
    path: '/api/sessions/:id/offline-responses',
    operation: 'submitOfflineResponses',
    summary: 'Answers that a device without network has kept; late, in any order and doubled, each lands once',
    scope: lessonOfTeacher,
    params: cuidParams,
    body: OfflineBody,
    answers: { 201: AcceptedResponses },
    run: async ({ trx, actor, scope, body, now }) =>
      created(await submitOffline(trx, scope.lesson, body.responses, { way: 'offline', sentBy: actor.userId, now })),
  }),
];
