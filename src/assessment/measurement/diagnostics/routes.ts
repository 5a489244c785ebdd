// Routes of the student's diagnostic: six operations, on the caller's own sessions only.
import { created, ok } from '#core/http/answers.ts';
import { cuidParams, Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { anySignedIn } from '#core/module/scopes.ts';
import { recordEvents } from './events.ts';
import { finishDiagnostic } from './finish.ts';
import { diagnosticProgress, presentSession } from './present.ts';
import { acceptResponse } from './respond.ts';
import {
  EventsAccepted,
  EventsBody,
  Finished,
  NextItem,
  ResponseAccepted,
  ResponseBody,
  StartBody,
  StudentSession,
} from './schemas.ts';
import { serveNext } from './serve.ts';
import { lockOpen, ownSession, rulesOf, statusAt } from './session.ts';
import { startDiagnostic } from './start.ts';
import { loadRecord } from './store.ts';

const shared = { tag: 'diagnostic', allow: ['TAKE_DIAGNOSTIC'] as const };

export const diagnosticRoutes = [
  route({
    ...shared,
    method: 'post',
    path: '/api/diagnostic-sessions/start',
    operation: 'startDiagnostic',
    summary: 'Start the next part of the season, or resume the open session',
    scope: anySignedIn,
    demo: 'loop',
    body: StartBody,
    answers: { 200: StudentSession, 201: StudentSession },
    errors: ['CONFLICT'],
    run: async ({ services, trx, actor, body, now }) => {
      const started = await startDiagnostic(services, trx, actor.userId, body.formCode, now);
      const view = presentSession(started, started.rules.values, started.resumed);
      return started.resumed ? ok(view) : created(view);
    },
  }),
  route({
    ...shared,
    method: 'get',
    path: '/api/diagnostic-sessions/:id',
    operation: 'getDiagnostic',
    summary: 'Where the own session stands',
    scope: ownSession,
    demo: 'read',
    params: cuidParams,
    answers: { 200: StudentSession },
    run: async ({ services, trx, scope, now }) => {
      const record = await loadRecord(trx, scope);
      const { values } = await rulesOf(services, trx, scope);
      return ok({ ...presentSession(record, values, false), status: statusAt(scope, now) });
    },
  }),
  route({
    ...shared,
    method: 'post',
    path: '/api/diagnostic-sessions/:id/next-item',
    operation: 'serveDiagnosticItem',
    summary: 'The next item; the same one until it is answered',
    scope: ownSession,
    demo: 'loop',
    params: cuidParams,
    body: Empty,
    answers: { 200: NextItem },
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, now }) => {
      const open = await lockOpen(services, trx, scope.id, now);
      const serving = await serveNext(trx, open, now);
      return ok({ ...serving, progress: diagnosticProgress(open.session, open.responses, open.rules.values) });
    },
  }),
  route({
    ...shared,
    method: 'post',
    path: '/api/diagnostic-sessions/:id/responses',
    operation: 'submitDiagnosticResponse',
    summary: 'Answer or skip the served item',
    scope: ownSession,
    demo: 'loop',
    params: cuidParams,
    body: ResponseBody,
    answers: { 200: ResponseAccepted },
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, body, now }) => {
      const open = await lockOpen(services, trx, scope.id, now);
      const { seq, responses } = await acceptResponse(trx, open, body, now);
      return ok({
        accepted: true as const,
        seq,
        progress: diagnosticProgress(open.session, responses, open.rules.values),
      });
    },
  }),
  route({
    ...shared,
    method: 'post',
    path: '/api/diagnostic-sessions/:id/events',
    operation: 'recordDiagnosticEvents',
    summary: 'Pauses, replays of the audio and lost focus',
    scope: ownSession,
    demo: 'loop',
    params: cuidParams,
    body: EventsBody,
    answers: { 200: EventsAccepted },
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, body, now }) => {
      const open = await lockOpen(services, trx, scope.id, now);
      return ok(await recordEvents(trx, open, body.events, now));
    },
  }),
  route({
    ...shared,
    method: 'post',
    path: '/api/diagnostic-sessions/:id/finish',
    operation: 'finishDiagnostic',
    summary: 'Finish the session; every answer stays evidence',
    scope: ownSession,
    demo: 'loop',
    params: cuidParams,
    body: Empty,
    answers: { 200: Finished },
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, now }) => ok(await finishDiagnostic(services, trx, scope.id, now)),
  }),
];
