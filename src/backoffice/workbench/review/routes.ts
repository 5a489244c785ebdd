// The review of a change: submitted, approved, returned, declined, withdrawn; and brought onto the bases of now.
import { ok } from '#core/http/answers.ts';
import { Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { changeAnswer } from '../change-answers/answer.ts';
import { changeToApprove, changeToJudge, requireReviewers } from '../changes/reviewers.ts';
import { ApproveBody, ChangeView, DeclineBody, SubmitBody } from '../changes/schemas.ts';
import { changeInPath, changeParams, changePath } from '../changes/scopes.ts';
import { RebaseBody, RebaseView } from '../changes/view-schemas.ts';
import { prepareRebase, rebaseChange, rebaseView } from '../rebase/rebase.ts';
import { approveChange, declineChange, lastCheck, returnChange, submitChange, withdrawChange } from './review.ts';

const shared = { tag: 'rules workbench', method: 'post', demo: 'blocked', params: changeParams } as const;
const answers = { 200: ChangeView };

export const reviewRoutes = [
  route({
    ...shared,
    path: `${changePath}/submit`,
    operation: 'submitRuleChange',
    summary: 'Ask for approval of a checked change; the quorum is fixed here',
    allow: ['PUBLISH_RULES'],
    scope: changeInPath,
    body: SubmitBody,
    answers,
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, body, now }) => {
      await requireReviewers(services, trx, body.requestedReviewers);
      return changeAnswer({ services, trx, now }, await submitChange(trx, scope, body, now));
    },
  }),
  route({
    ...shared,
    path: `${changePath}/approve`,
    operation: 'approveRuleChange',
    heavy: true,
    summary: 'Approve the change that was read, and the report of its impact; the last approval publishes',
    allow: ['APPROVE_RULES'],
    scope: changeToApprove,
    body: ApproveBody,
    answers,
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, body, actor, now }) =>
      lastCheck(services, trx, scope, { ...body, userId: actor.userId }, now),
    run: async ({ services, trx, scope, body, actor: { userId }, prepared, now }) => {
      const approved = await approveChange(services, trx, scope, { ...body, userId }, prepared, now);
      return changeAnswer({ services, trx, now }, approved);
    },
  }),
  route({
    ...shared,
    path: `${changePath}/return`,
    operation: 'returnRuleChange',
    summary: 'Give a change in review back to its authors; its approvals count no more',
    allow: ['APPROVE_RULES'],
    scope: changeToJudge,
    body: Empty,
    answers,
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, now }) =>
      changeAnswer({ services, trx, now }, await returnChange(trx, scope, now)),
  }),
  route({
    ...shared,
    path: `${changePath}/decline`,
    operation: 'declineRuleChange',
    summary: 'Decline a change in review, with a reason; it is closed for good',
    allow: ['APPROVE_RULES'],
    scope: changeToJudge,
    body: DeclineBody,
    answers,
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, body, now }) => {
      const declined = await declineChange(trx, scope, body.reason, now);
      services.metrics.countReason('decline', body.reason);
      return changeAnswer({ services, trx, now }, declined);
    },
  }),
  route({
    ...shared,
    path: `${changePath}/withdraw`,
    operation: 'withdrawRuleChange',
    summary: 'Take a change back; it is closed for good',
    allow: ['PUBLISH_RULES'],
    scope: changeInPath,
    body: Empty,
    answers,
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, now }) =>
      changeAnswer({ services, trx, now }, await withdrawChange(trx, scope, now)),
  }),
  route({
    ...shared,
    method: 'get',
    path: `${changePath}/rebase`,
    operation: 'getChangeRebase',
    heavy: true,
    summary: 'Which bases have moved, and where both sides have changed the same place',
    allow: ['RUN_BACKOFFICE'],
    scope: changeInPath,
    demo: 'read',
    answers: { 200: RebaseView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ trx, scope, now }) => rebaseView(trx, scope, now),
    run: async ({ prepared }) => ok(prepared),
  }),
  route({
    ...shared,
    path: `${changePath}/rebase`,
    operation: 'rebaseRuleChange',
    heavy: true,
    summary: 'Bring a change onto the bases of now, with a side for each conflict; If-Match quotes the ETag',
    allow: ['PUBLISH_RULES'],
    scope: changeInPath,
    body: RebaseBody,
    answers,
    errors: ['CONFLICT', 'PRECONDITION_FAILED', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ trx, scope, body, now }) => prepareRebase(trx, scope, body.take, now),
    run: async ({ services, trx, scope, actor: { userId }, prepared, now, header }) => {
      const rebased = await rebaseChange(trx, scope, prepared, header('if-match'), { userId, now });
      return changeAnswer({ services, trx, now }, rebased);
    },
  }),
];
