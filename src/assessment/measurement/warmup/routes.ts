// Routes of the student's warm-up, and its replay for the backoffice.

import Type from 'typebox';
import { created, ok } from '#core/http/answers.ts';
import { cuidParams, Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { anySignedIn, platformData } from '#core/module/scopes.ts';
import { completeWarmup, resumeWarmup } from './close.ts';
import { recordWarmupEvents } from './events.ts';
import { presentWarmup } from './present.ts';
import { replayWarmup } from './replay.ts';
import {
  NothingToWarmUp,
  StartWarmupBody,
  WarmupCompleted,
  WarmupEventsAccepted,
  WarmupEventsBody,
  WarmupReplay,
  WarmupReplayBody,
  WarmupResumed,
  WarmupView,
} from './schemas.ts';
import { bankOf, lock, ownWarmup, requireOpenWarmup } from './session.ts';
import { startWarmup } from './start.ts';

const shared = {
  tag: 'warm-up',
  method: 'post',
  allow: ['TAKE_DIAGNOSTIC'],
  demo: 'loop',
  errors: ['CONFLICT'],
} as const;

export const warmupRoutes = [
  route({
    ...shared,
    path: '/api/warmup/sessions',
    operation: 'startWarmup',
    summary: 'Start a warm-up of one minute, or find the open one',
    scope: anySignedIn,
    body: StartWarmupBody,
    answers: { 200: Type.Union([WarmupView, NothingToWarmUp]), 201: WarmupView },
    run: async ({ services, trx, actor, body, now }) => {
      const started = await startWarmup(services, trx, actor.userId, body.sessionType, now);
      if (!started) return ok({ outcome: 'no_eligible_item' as const, served: null });
      const view = await presentWarmup(services, trx, started.session, now);
      return started.resumed ? ok(view) : created(view);
    },
  }),
  route({
    ...shared,
    path: '/api/warmup/sessions/:id/events',
    operation: 'recordWarmupEvents',
    summary: 'Answers, skips, pauses and resumes; a batch may be sent again',
    scope: ownWarmup,
    params: cuidParams,
    body: WarmupEventsBody,
    answers: { 200: WarmupEventsAccepted },
    run: async ({ services, trx, scope, body, now }) => {
      const locked = await lock(services, trx, scope.id);
      requireOpenWarmup(locked.session, now);
      return ok(await recordWarmupEvents(trx, locked, await bankOf(services, scope), body.events, now));
    },
  }),
  route({
    ...shared,
    path: '/api/warmup/sessions/:id/complete',
    operation: 'completeWarmup',
    summary: 'Close the warm-up',
    scope: ownWarmup,
    params: cuidParams,
    body: Empty,
    answers: { 200: WarmupCompleted },
    run: async ({ services, trx, scope, now }) =>
      ok(await completeWarmup(services, trx, await lock(services, trx, scope.id), now)),
  }),
  route({
    ...shared,
    path: '/api/warmup/sessions/:id/resume',
    operation: 'resumeWarmup',
    summary: 'Come back to the warm-up within ten minutes of its start',
    scope: ownWarmup,
    params: cuidParams,
    body: Empty,
    answers: { 200: WarmupResumed },
    run: async ({ services, trx, scope, now }) => ok(await resumeWarmup(trx, await lock(services, trx, scope.id), now)),
  }),
  route({
    tag: 'warm-up',
    method: 'post',
    path: '/api/admin/warmup/dry-run-replay',
    operation: 'dryRunWarmupReplay',
    heavy: true,
    summary: 'Make a stored warm-up again from what it pinned; writes nothing',
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    readOnly: true,
    body: WarmupReplayBody,
    answers: { 200: WarmupReplay },
    errors: ['NOT_FOUND'],
    run: async ({ services, trx, body, now }) => ok(await replayWarmup(services, trx, body.warmupSessionId, now)),
  }),
];
