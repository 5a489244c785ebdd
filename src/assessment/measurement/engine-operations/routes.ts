// Routes for staff: score answers, read sessions, replay their estimates.
import { ok } from '#core/http/answers.ts';
import { cuidParams, Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { studentInReach, teachersAndAdmins } from '#identity/people/index.ts';
import { activeMeasurement } from '../rules.ts';
import {
  EngineSession,
  EngineSessionList,
  engineListQuery,
  ReplayAnswer,
  ScoreAnswer,
  ScoreBody,
  sessionParams,
  studentParams,
} from './schemas.ts';
import { scoreResponses } from './score.ts';
import { engineSession, listSessions, replaySession, sessionInReach } from './sessions.ts';

const shared = { tag: 'engine', allow: ['USE_DIAGNOSTIC_ENGINE'] as const, demo: 'read' as const };

export const engineRoutes = [
  route({
    ...shared,
    method: 'post',
    path: '/api/engine/score',
    operation: 'scoreResponses',
    heavy: true,
    summary: 'Theta, its standard error and the next item for given answers; writes nothing',
    scope: { ...platformData, reach: 'O' },
    readOnly: true,
    body: ScoreBody,
    answers: { 200: ScoreAnswer },
    run: async ({ services, trx, body, now }) => ok(scoreResponses(body, await activeMeasurement(services, trx, now))),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/api/engine/replay/:sessionId',
    operation: 'replayDiagnostic',
    heavy: true,
    summary: 'Estimate a finished session again from what it pinned; writes nothing',
    scope: sessionInReach('sessionId'),
    readOnly: true,
    params: sessionParams,
    body: Empty,
    answers: { 200: ReplayAnswer },
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope }) => ok(await replaySession(services, trx, scope)),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/api/engine/sessions/by-student/:studentId',
    operation: 'listEngineSessions',
    summary: 'Sessions of a student, newest first',
    scope: studentInReach(teachersAndAdmins, 'studentId'),
    params: studentParams,
    query: engineListQuery,
    answers: { 200: EngineSessionList },
    run: async ({ trx, scope, query, now }) => ok(await listSessions(trx, scope, query, now)),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/api/engine/sessions/:id',
    operation: 'getEngineSession',
    summary: 'A session with its responses and estimates',
    scope: sessionInReach('id'),
    params: cuidParams,
    answers: { 200: EngineSession },
    run: async ({ trx, scope, now }) => ok(await engineSession(trx, scope, now)),
  }),
];
