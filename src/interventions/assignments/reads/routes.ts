// Reads of assignments: one, those of a student, the board of a class and what it takes of the week, and what came of a
// bundle.
import { ok } from '../../../http/answers.ts';
import { idParams } from '../../../http/schemas.ts';
import { route } from '../../../kernel/route.ts';
import { ownOrganization } from '../../../kernel/scopes.ts';
import { classInReach, studentInReach } from '../../../people/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { bundleById } from '../../bundles/queries.ts';
import { bundleParams } from '../../bundles/schemas.ts';
import { classAssignments, studentAssignments } from './lists.ts';
import {
  AssignmentList,
  AssignmentView,
  assignmentParams,
  ClassAssignmentQuery,
  EffectQuery,
  EffectView,
  StudentAssignmentQuery,
  WorkloadView,
} from './schemas.ts';
import { assignmentInReach } from './scopes.ts';
import { assignmentView } from './views.ts';
import { classWorkload } from './workload.ts';

const reading = {
  method: 'get',
  tag: 'interventions',
  allow: ['VIEW_OWN_CLASSES'],
  demo: 'read',
  errors: ['ENGINE_UNAVAILABLE'],
} as const;

export const assignmentRoutes = [
  route({
    ...reading,
    path: '/api/bundle-assignments/:assignmentId',
    operation: 'getBundleAssignment',
    summary: 'One assignment with its steps',
    scope: assignmentInReach,
    params: assignmentParams,
    answers: { 200: AssignmentView },
    run: async ({ services, trx, scope, now }) => ok(await assignmentView(services, trx, scope, now)),
  }),
  route({
    ...reading,
    path: '/api/students/:id/bundle-assignments',
    operation: 'listStudentAssignments',
    summary: 'What a student was given, newest first',
    scope: studentInReach(),
    params: idParams,
    query: StudentAssignmentQuery,
    answers: { 200: AssignmentList },
    run: async (ctx) => ok(await studentAssignments(ctx, ctx.scope, ctx.query)),
  }),
  route({
    ...reading,
    path: '/api/classes/:id/bundle-assignments',
    operation: 'listClassAssignments',
    summary: 'Who of a class works on what, at which step, and who is off track',
    scope: classInReach(),
    params: idParams,
    query: ClassAssignmentQuery,
    answers: { 200: AssignmentList },
    run: async (ctx) => ok(await classAssignments(ctx, ctx.scope, ctx.query)),
  }),
  route({
    ...reading,
    path: '/api/classes/:id/workload',
    operation: 'getClassWorkload',
    summary: 'Minutes of a class’s week that its plans take, each group once',
    scope: classInReach(),
    params: idParams,
    answers: { 200: WorkloadView },
    run: async (ctx) => ok(await classWorkload(ctx, ctx.scope)),
  }),
  route({
    ...reading,
    allow: ['VIEW_SCHOOL_AGGREGATES', 'VIEW_ORG_AGGREGATES'],
    path: '/api/bundles/:bundle_id/effect',
    operation: 'getBundleEffect',
    summary: 'What came of completed assignments of a bundle, in released counts; not served yet',
    scope: ownOrganization,
    params: bundleParams,
    query: EffectQuery,
    answers: { 200: EffectView },
    errors: ['NOT_FOUND', 'NOT_IMPLEMENTED', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, params, now }) => {
      await bundleById(services, trx, params.bundle_id, now);
      throw new AppError('NOT_IMPLEMENTED', 'Counts of this kind are not released yet.');
    },
  }),
];
