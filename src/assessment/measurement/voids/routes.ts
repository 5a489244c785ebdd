// Routes of voids: take evidence back, restore it, list what was taken back.
import { created, ok } from '#core/http/answers.ts';
import { cuidParams, Empty, idParams } from '#core/http/schemas.ts';
import type { AppScope } from '#core/module/route.ts';
import { route } from '#core/module/route.ts';
import { studentInReach } from '#identity/people/index.ts';
import { restoreEvidence, voidEvidence } from './change.ts';
import { listVoids, presentVoid } from './list.ts';
import { EvidenceVoidList, EvidenceVoidView, VoidBody, VoidQuery, voidParams } from './schemas.ts';
import {
  probeToVoid,
  queueToVoid,
  readingToVoid,
  sessionToVoid,
  type VoidableEvidence,
  voidToRestore,
} from './scopes.ts';

const tag = 'evidence';
const writing = { tag, method: 'post', allow: ['USE_DIAGNOSTIC_ENGINE'], demo: 'blocked' } as const;

interface Voiding<Path extends string, Operation extends string> {
  readonly path: Path;
  readonly operation: Operation;
  readonly summary: string;
  readonly scope: AppScope<VoidableEvidence>;
  readonly params: typeof cuidParams | typeof idParams;
}

const voidRoute = <Path extends string, Operation extends string>(voiding: Voiding<Path, Operation>) =>
  route({
    ...writing,
    ...voiding,
    body: VoidBody,
    answers: { 201: EvidenceVoidView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (call) => created(presentVoid(await voidEvidence(call, call.scope, call.body.reasonCode))),
  });

export const voidRoutes = [
  voidRoute({
    path: '/api/orf/assessments/:id/void',
    operation: 'voidOrfAssessment',
    summary: 'Take a scored reading back, with the probe that was made of it',
    scope: readingToVoid,
    params: cuidParams,
  }),
  voidRoute({
    path: '/api/cbm/probes/:id/void',
    operation: 'voidCbmProbe',
    summary: 'Take a probe back, with the reading of which it was made',
    scope: probeToVoid,
    params: idParams,
  }),
  voidRoute({
    path: '/api/diagnostic-sessions/:id/void',
    operation: 'voidDiagnosticSession',
    summary: 'Take a finished part of a diagnostic back; it may be taken again',
    scope: sessionToVoid,
    params: cuidParams,
  }),
  voidRoute({
    path: '/api/practice/queues/:id/void',
    operation: 'voidPracticeQueue',
    summary: 'Take a practice queue back that has ended',
    scope: queueToVoid,
    params: cuidParams,
  }),
  route({
    ...writing,
    path: '/api/evidence-voids/:voidId/restore',
    operation: 'restoreEvidence',
    summary: 'Let evidence count again',
    scope: voidToRestore,
    params: voidParams,
    body: Empty,
    answers: { 200: EvidenceVoidView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (call) => ok(presentVoid(await restoreEvidence(call, call.scope))),
  }),
  route({
    tag,
    method: 'get',
    path: '/api/students/:id/evidence-voids',
    operation: 'listEvidenceVoids',
    summary: 'What was taken back of a student’s evidence, and what was restored; newest first',
    allow: ['VIEW_OWN_CLASSES'],
    scope: studentInReach(),
    demo: 'read',
    params: idParams,
    query: VoidQuery,
    answers: { 200: EvidenceVoidList },
    run: async ({ trx, scope, query }) => ok(await listVoids(trx, scope, query)),
  }),
];
