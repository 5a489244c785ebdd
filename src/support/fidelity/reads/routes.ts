// Routes of fidelity: of an assignment, of a student, and of all assignments with low delivery.
import { ok } from '#core/http/answers.ts';
import { Empty, idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { studentInReach } from '#identity/people/index.ts';
import { checkFidelity, newestRecord, recomputeFidelity } from './check.ts';
import { lowFidelityCohort } from './cohort.ts';
import {
  CohortQuery,
  FidelityCheck,
  FidelityRecord,
  FidelityTracker,
  fidelityParams,
  LowFidelityCohort,
} from './schemas.ts';
import { readableAssignment, writableAssignment } from './scopes.ts';
import { fidelityTracker } from './tracker.ts';

const reading = { method: 'get', tag: 'interventions', allow: ['VIEW_OWN_CLASSES'], demo: 'read' } as const;

export const fidelityRoutes = [
  route({
    ...reading,
    path: '/api/fidelity/:bundleAssignmentId/check',
    operation: 'checkFidelity',
    summary: 'How much of a plan was delivered by now',
    scope: readableAssignment,
    params: fidelityParams,
    answers: { 200: FidelityCheck },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async (ctx) => ok(await checkFidelity(ctx, ctx.scope)),
  }),
  route({
    ...reading,
    method: 'post',
    demo: 'blocked',
    path: '/api/fidelity/:bundleAssignmentId/recompute',
    operation: 'recomputeFidelity',
    summary: 'Count a plan anew; what differs is kept',
    scope: writableAssignment,
    params: fidelityParams,
    body: Empty,
    answers: { 200: FidelityRecord },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async (ctx) => ok(await recomputeFidelity(ctx, ctx.scope)),
  }),
  route({
    ...reading,
    path: '/api/fidelity/:bundleAssignmentId',
    operation: 'getFidelity',
    summary: 'What was counted of a plan last, week by week',
    scope: readableAssignment,
    params: fidelityParams,
    answers: { 200: FidelityRecord },
    run: async ({ trx, scope }) => ok(await newestRecord(trx, scope)),
  }),
  route({
    ...reading,
    path: '/api/students/:id/fidelity-tracker',
    operation: 'getFidelityTracker',
    summary: 'All that a student was given, with how much of it was delivered',
    scope: studentInReach(),
    params: idParams,
    answers: { 200: FidelityTracker },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async (ctx) => ok(await fidelityTracker(ctx, ctx.scope)),
  }),
  route({
    ...reading,
    allow: ['MANAGE_ORG', 'RUN_BACKOFFICE'],
    path: '/api/fidelity/admin/low-fidelity-cohort',
    operation: 'listLowFidelityCohort',
    heavy: true,
    summary: 'Open plans of which too little was delivered, the lowest rate first',
    scope: ownOrganization,
    query: CohortQuery,
    answers: { 200: LowFidelityCohort },
    errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => ok(await lowFidelityCohort(ctx)),
  }),
];
