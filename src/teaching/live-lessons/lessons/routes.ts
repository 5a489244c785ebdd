// Routes that create, read and join live lessons.
import { created, ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { type AppScope, route } from '#core/module/route.ts';
import { denied } from '#core/platform/errors.ts';
import { participantsOf } from '../rows/participants.ts';
import { liveInReach } from '../scopes.ts';
import { createLive } from './create.ts';
import { joinLive } from './join.ts';
import { presentLive, presentLiveDetails } from './present.ts';
import { JoinBody, Joined, LiveLessonCreationBody, LiveLessonDetails, LiveLessonView } from './schemas.ts';

const tag = 'live-sessions';

/** The ids of class and lesson are in the body. */
const teachersOnly: AppScope<null> = {
  reach: 'T',
  resolve: async ({ actor }) => {
    if (actor.persona !== 'TEACHER') throw denied();
    return { row: null };
  },
};

/** The join code determines the class. */
const byCode: AppScope<null> = { reach: 'own class', resolve: async () => ({ row: null }) };

export const liveLessonRoutes = [
  route({
    method: 'post',
    path: '/api/sync/sessions',
    operation: 'createLiveSession',
    summary: 'Make a live session for an own class, empty or from a session that was prepared for it',
    tag,
    allow: ['VIEW_OWN_CLASSES'],
    scope: teachersOnly,
    demo: 'blocked',
    body: LiveLessonCreationBody,
    answers: { 201: LiveLessonView },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => created(presentLive(await createLive(ctx))),
  }),
  route({
    method: 'post',
    path: '/api/sync/sessions/join',
    operation: 'joinLiveSession',
    summary: 'Join the session that a code of six digits leads to',
    tag,
    allow: ['TAKE_DIAGNOSTIC'],
    scope: byCode,
    demo: 'blocked',
    limit: 'closed',
    body: JoinBody,
    answers: { 200: Joined },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    run: async (ctx) => ok(await joinLive(ctx)),
  }),
  route({
    method: 'get',
    path: '/api/sync/sessions/:id',
    operation: 'getLiveSession',
    summary: 'A live session with who has joined it',
    tag,
    allow: ['VIEW_OWN_CLASSES'],
    scope: liveInReach,
    demo: 'read',
    params: cuidParams,
    answers: { 200: LiveLessonDetails },
    run: async ({ trx, scope }) => ok(presentLiveDetails(scope, await participantsOf(trx, scope))),
  }),
];
