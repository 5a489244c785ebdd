// Replays for the backoffice: starts one, reads it, and lists those of the nights.
import { ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { listReplays, readReplay } from './queries.ts';
import { ReplayBody, ReplayQuery, ReplayStarted, ReplaysQuery, ReplaysView, ReplayView } from './schemas.ts';
import { startReplay } from './start.ts';

const shared = { tag: 'rules workbench', allow: ['RUN_BACKOFFICE'], scope: platformData, demo: 'read' } as const;

export const replayRoutes = [
  route({
    ...shared,
    method: 'post',
    path: '/api/admin/replays',
    operation: 'startReplay',
    summary: 'Execute stored runs again with the rules they were pinned to',
    body: ReplayBody,
    answers: { 202: ReplayStarted },
    errors: ['NOT_FOUND'],
    run: async ({ trx, body, actor, now }) => ({
      status: 202 as const,
      body: { replayId: await startReplay(trx, body, actor.userId, now) },
    }),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/api/admin/replays',
    operation: 'listReplays',
    summary: 'Replays, newest first; those of the night with their attestation',
    query: ReplaysQuery,
    answers: { 200: ReplaysView },
    run: async ({ trx, query }) => ok(await listReplays(trx, query)),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/api/admin/replays/:id',
    operation: 'getReplay',
    summary: 'How far a replay is, and which runs did not come out the same',
    params: cuidParams,
    query: ReplayQuery,
    answers: { 200: ReplayView },
    errors: ['NOT_FOUND'],
    run: async ({ trx, params, query }) => ok(await readReplay(trx, params.id, query)),
  }),
];
