// Routes with which teachers and administrators create, change, accept, distribute, deliver and cancel lessons.
import { created, ok } from '#core/http/answers.ts';
import { cuidParams, Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { teachersAndAdminsOnly } from '#support/interventions/index.ts';
import { LessonView, recipientParams } from '../reads/schemas.ts';
import { lessonToChange } from '../reads/scopes.ts';
import { lessonView } from '../reads/view.ts';
import { accept, cancel, distribute } from './accept.ts';
import { createLesson } from './create.ts';
import { editLesson } from './edit.ts';
import { includeRecipient } from './include.ts';
import { CancellationBody, DistributedView, InclusionBody, LessonCreationBody, LessonEditBody } from './schemas.ts';

const writing = {
  method: 'post',
  tag: 'sessions',
  allow: ['VIEW_OWN_CLASSES'],
  demo: 'blocked',
  errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
} as const;
const changing = { ...writing, scope: lessonToChange, params: cuidParams } as const;

export const lessonChangeRoutes = [
  route({
    ...writing,
    path: '/api/sessions/from-blueprint',
    operation: 'createSessionFromBlueprint',
    summary: 'Give a blueprint to a class; who may not take part is kept as excluded, with the reason',
    scope: teachersAndAdminsOnly,
    body: LessonCreationBody,
    answers: { 201: LessonView },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => created(await lessonView(ctx, await createLesson(ctx))),
  }),
  route({
    ...changing,
    method: 'patch',
    path: '/api/sessions/:id/edit',
    operation: 'editSession',
    summary: 'Change a session before it is given, or tell that it was given and who was there',
    body: LessonEditBody,
    answers: { 200: LessonView },
    run: async (ctx) => ok(await lessonView(ctx, await editLesson(ctx))),
  }),
  route({
    ...changing,
    path: '/api/sessions/:id/accept',
    operation: 'acceptSession',
    summary: 'Settle a draft; whom it is for is asked again',
    body: Empty,
    answers: { 200: LessonView },
    run: async (ctx) => ok(await lessonView(ctx, await accept(ctx))),
  }),
  route({
    ...changing,
    path: '/api/sessions/:id/cancel',
    operation: 'cancelSession',
    summary: 'Call a session off, with a reason',
    body: CancellationBody,
    answers: { 200: LessonView },
    run: async (ctx) => ok(await lessonView(ctx, await cancel(ctx))),
  }),
  route({
    ...changing,
    path: '/api/sessions/:id/recipients/:studentId/include',
    operation: 'includeSessionRecipient',
    summary: 'Include one more student of the class, in spite of a soft exclusion only with a reason',
    params: recipientParams,
    body: InclusionBody,
    answers: { 200: LessonView },
    errors: ['CONFLICT', 'EXCLUDED_MEMBER', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => {
      const row = await includeRecipient({ ...ctx, studentId: Number(ctx.params.studentId) });
      return ok(await lessonView(ctx, row));
    },
  }),
  route({
    ...changing,
    path: '/api/sessions/:id/distribute-online',
    operation: 'distributeSessionOnline',
    summary: 'Lay a session out for its students to answer on their own devices',
    body: Empty,
    answers: { 200: DistributedView },
    run: async (ctx) => ok(await distribute(ctx)),
  }),
];
