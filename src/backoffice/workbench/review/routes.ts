// The review of a draft: submitted, approved, declined, withdrawn.
import { ok } from '#core/http/answers.ts';
import { Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { withEtag } from '../drafts/answer.ts';
import { ApproveBody, DeclineBody, DraftView, SubmitBody } from '../drafts/schemas.ts';
import { foreignDraftInPath, ruleDraftInPath } from '../drafts/scopes.ts';
import { defaultQuorum } from '../drafts/store.ts';
import { draftParams, draftPath } from '../published/scopes.ts';
import { draftToApprove } from './approver.ts';
import { approveDraft, declineDraft, lastValidation, submitDraft, withdrawDraft } from './review.ts';

const shared = { tag: 'rules workbench', method: 'post', demo: 'blocked', params: draftParams } as const;
const answers = { 200: DraftView };

export const reviewRoutes = [
  route({
    ...shared,
    path: `${draftPath}/submit`,
    operation: 'submitRuleDraft',
    summary: 'Ask for approval of a validated draft; the quorum is fixed here',
    allow: ['PUBLISH_RULES'],
    scope: ruleDraftInPath,
    body: SubmitBody,
    answers,
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, body, now }) =>
      withEtag({ services, trx, now }, await submitDraft(trx, scope, body.quorum ?? defaultQuorum, now), ok),
  }),
  route({
    ...shared,
    path: `${draftPath}/approve`,
    operation: 'approveRuleDraft',
    heavy: true,
    summary: 'Approve the text that was read, and the report of its impact; the last approval publishes',
    allow: ['APPROVE_RULES'],
    scope: draftToApprove,
    body: ApproveBody,
    answers,
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, body, actor, now }) =>
      lastValidation(services, trx, scope, { ...body, userId: actor.userId }, now),
    run: async ({ services, trx, scope, body, actor, prepared, now }) =>
      withEtag(
        { services, trx, now },
        await approveDraft(services, trx, scope, { ...body, userId: actor.userId }, prepared, now),
        ok,
      ),
  }),
  route({
    ...shared,
    path: `${draftPath}/decline`,
    operation: 'declineRuleDraft',
    summary: 'Decline a draft in review, with a reason; it is closed for good',
    allow: ['APPROVE_RULES'],
    scope: foreignDraftInPath,
    body: DeclineBody,
    answers,
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, body, now }) => {
      const declined = await declineDraft(trx, scope, body.reason, now);
      services.metrics.countReason('decline', body.reason);
      return withEtag({ services, trx, now }, declined, ok);
    },
  }),
  route({
    ...shared,
    path: `${draftPath}/withdraw`,
    operation: 'withdrawRuleDraft',
    summary: 'Take a draft back; it is closed for good',
    allow: ['PUBLISH_RULES'],
    scope: ruleDraftInPath,
    body: Empty,
    answers,
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, now }) =>
      withEtag({ services, trx, now }, await withdrawDraft(trx, scope, now), ok),
  }),
];
