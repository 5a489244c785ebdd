// Routes of the workflow: activation, review, drafts.
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { AssignmentView } from '../assignments/reads/schemas.ts';
import { activate } from './activate.ts';
import { teachersAndAdminsOnly, teachersOnly } from './callers.ts';
import { ownDraft, readDraft, saveDraft } from './drafts.ts';
import { review } from './review.ts';
import {
  ActivationBody,
  Blocked,
  DraftBody,
  ReviewBody,
  Reviewed,
  WorkflowDraftView,
  workflowDraftParams,
} from './schemas.ts';

const writing = { method: 'post', tag: 'interventions', allow: ['VIEW_OWN_CLASSES'], demo: 'blocked' } as const;

export const workflowRoutes = [
  route({
    ...writing,
    path: '/api/workflow/activate',
    operation: 'activateBundle',
    summary: 'Give one student a bundle; off the recommendation only when it is confirmed, with a reason',
    scope: teachersAndAdminsOnly,
    body: ActivationBody,
    answers: { 200: Blocked, 201: AssignmentView },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: activate,
  }),
  route({
    ...writing,
    path: '/api/workflow/review',
    operation: 'reviewAssignment',
    summary: 'Move an assignment on: pause, resume, end, extend, replace, change support or provider',
    scope: teachersAndAdminsOnly,
    body: ReviewBody,
    answers: { 200: Reviewed },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: review,
  }),
  route({
    ...writing,
    path: '/api/workflow/save-draft',
    operation: 'saveWorkflowDraft',
    summary: 'Keep what the caller has begun to choose for a class; the last one stays',
    scope: teachersOnly,
    body: DraftBody,
    answers: { 200: WorkflowDraftView },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => ok(await saveDraft(ctx)),
  }),
  route({
    method: 'get',
    tag: 'interventions',
    allow: ['VIEW_OWN_CLASSES'],
    demo: 'read',
    path: '/api/workflow/draft/:teacherId/:classId',
    operation: 'getWorkflowDraft',
    summary: 'The draft of a teacher for a class, until it is a week old',
    scope: ownDraft,
    params: workflowDraftParams,
    answers: { 200: WorkflowDraftView },
    errors: ['NOT_FOUND'],
    run: async (ctx) => ok(await readDraft(ctx, ctx.scope)),
  }),
];
