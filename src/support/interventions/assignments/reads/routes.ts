// Reads of assignments: one, those of a student, those of a class, and the workload of a class.
import { ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { classInReach, studentInReach } from '#identity/people/index.ts';
import { classAssignments, studentAssignments } from './lists.ts';
import {
  AssignmentList,
  AssignmentView,
  assignmentParams,
  ClassAssignmentQuery,
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
    heavy: true,
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
    heavy: true,
    summary: 'Minutes of a class’s week that its plans take, each group once',
    scope: classInReach(),
    params: idParams,
    answers: { 200: WorkloadView },
    run: async (ctx) => ok(await classWorkload(ctx, ctx.scope)),
  }),
];
