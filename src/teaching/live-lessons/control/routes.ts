// Routes that start and control a live lesson and set its playlist.
import { ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { presentLive } from '../lessons/present.ts';
import { LiveLessonView } from '../lessons/schemas.ts';
import { lockLive } from '../rows/lock.ts';
import { moveLive } from '../rows/move.ts';
import { liveItems } from '../rows/playlist.ts';
import { liveInReach, liveTaught } from '../scopes.ts';
import { controlLive } from './control.ts';
import { setPlaylist } from './playlist.ts';
import { ControlBody, Controlled, LivePlaylistView, PlaylistBody } from './schemas.ts';

const common = { tag: 'live-sessions', allow: ['VIEW_OWN_CLASSES'], params: cuidParams } as const;
const writing = { ...common, scope: liveTaught, demo: 'blocked', errors: ['CONFLICT'] } as const;

export const controlRoutes = [
  route({
    ...writing,
    method: 'post',
    path: '/api/sync/sessions/:id/start',
    operation: 'startLiveSession',
    summary: 'Begin to teach: the first item is shown',
    answers: { 200: LiveLessonView },
    run: async ({ services, trx, scope: { organizationId, id } }) => {
      const row = await lockLive(trx, organizationId, id);
      return ok(presentLive(await moveLive(trx, row, { kind: 'start' }, services.clock.now())));
    },
  }),
  route({
    ...writing,
    method: 'post',
    path: '/api/sync/sessions/:id/control',
    operation: 'controlLiveSession',
    summary: 'Pause, go on, show another item, lock answers, end or cancel',
    body: ControlBody,
    answers: { 200: Controlled },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => {
      const { state, controlVersion, currentItemRef, responsesLocked } = await controlLive(ctx, ctx.scope);
      return ok({ state, controlVersion, currentItemRef, responsesLocked });
    },
  }),
  route({
    ...writing,
    method: 'put',
    path: '/api/sync/sessions/:id/playlist',
    operation: 'setLivePlaylist',
    summary: 'Choose what the session shows, from a blueprint or from the session that is being taught',
    body: PlaylistBody,
    answers: { 200: LivePlaylistView },
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async (ctx) => ok(await setPlaylist(ctx, ctx.scope)),
  }),
  route({
    ...common,
    method: 'get',
    path: '/api/sync/sessions/:id/playlist',
    operation: 'getLivePlaylist',
    summary: 'What the session shows, with the keys',
    scope: liveInReach,
    demo: 'read',
    answers: { 200: LivePlaylistView },
    run: async ({ trx, scope }) =>
      ok({ items: [...(await liveItems(trx, scope))], controlVersion: scope.controlVersion }),
  }),
];
