// Drafts before they are submitted for review: created, read, changed, deleted, validated, compared and tried.
import { created, noContent, ok } from '#core/http/answers.ts';
import { Empty, NoContent, Nothing, page } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { runInWorker } from '../analysis-worker.ts';
import { draftParams, draftPath, findRuleSet, ruleSetInPath, ruleSetParams } from '../published/scopes.ts';
import { TryAnswer, TryBody } from '../schemas.ts';
import { trialDocuments } from '../validation/try.ts';
import { againstOf } from './against.ts';
import { withEtag } from './answer.ts';
import { createDraft, deleteDraft, replaceDraft } from './edit.ts';
import { presentDrafts } from './present.ts';
import { DiffQuery, DiffView, DraftEditBody, DraftsQuery, DraftView, NewDraftBody, ValidationView } from './schemas.ts';
import { ruleDraftInPath } from './scopes.ts';
import { draftPage } from './store.ts';
import { saveValidation, validation } from './validate.ts';

const tag = 'rules workbench';

export const draftRoutes = [
  route({
    method: 'get',
    path: '/api/admin/rule-drafts',
    operation: 'listRuleDrafts',
    summary: 'Drafts of all rule sets, newest first: the review queue',
    tag,
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    query: DraftsQuery,
    answers: { 200: page(DraftView) },
    run: async ({ services, trx, query, now }) => {
      const { items, nextCursor } = await draftPage(trx, query);
      return ok({ items: await presentDrafts({ services, trx, now }, items), nextCursor });
    },
  }),
  route({
    method: 'post',
    path: '/api/admin/rule-sets/:family/:key/drafts',
    operation: 'createRuleDraft',
    summary: 'Start a draft from the newest published version',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: ruleSetInPath,
    demo: 'blocked',
    params: ruleSetParams,
    body: NewDraftBody,
    answers: { 201: DraftView },
    errors: ['CONFLICT'],
    run: async ({ services, trx, scope, body, actor, now }) =>
      withEtag({ services, trx, now }, await createDraft(trx, scope, body, actor.userId, now), created),
  }),
  route({
    method: 'get',
    path: draftPath,
    operation: 'getRuleDraft',
    summary: 'A draft, with its findings and approvals',
    tag,
    allow: ['RUN_BACKOFFICE'],
    scope: ruleDraftInPath,
    demo: 'read',
    params: draftParams,
    answers: { 200: DraftView, 304: Nothing },
    run: async ({ services, trx, scope, now }) => withEtag({ services, trx, now }, scope, ok),
  }),
  route({
    method: 'put',
    path: draftPath,
    operation: 'replaceRuleDraft',
    summary: 'Replace the text of a draft; If-Match quotes the ETag of the text that was edited',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: ruleDraftInPath,
    demo: 'blocked',
    params: draftParams,
    body: DraftEditBody,
    answers: { 200: DraftView },
    errors: ['CONFLICT', 'PRECONDITION_FAILED'],
    run: async ({ services, trx, scope, body, actor, now, header }) => {
      const { newestVersion } = await findRuleSet(trx, scope.family, scope.key);
      const by = { userId: actor.userId, ifMatch: header('if-match'), newestVersion };
      return withEtag({ services, trx, now }, await replaceDraft(trx, scope, body, by, now), ok);
    },
  }),
  route({
    method: 'delete',
    path: draftPath,
    operation: 'deleteRuleDraft',
    summary: 'Throw away a draft that was never submitted',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: ruleDraftInPath,
    demo: 'blocked',
    params: draftParams,
    answers: { 204: NoContent },
    errors: ['CONFLICT'],
    run: async ({ trx, scope }) => {
      await deleteDraft(trx, scope);
      return noContent();
    },
  }),
  route({
    method: 'post',
    path: `${draftPath}/validate`,
    operation: 'validateRuleDraft',
    heavy: true,
    summary: 'Validate a draft: findings, mutation score, and validated when there is no error',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: ruleDraftInPath,
    demo: 'blocked',
    params: draftParams,
    body: Empty,
    answers: { 200: ValidationView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, now }) => validation(services, trx, scope, now),
    run: async ({ trx, scope, prepared, now }) => ok(await saveValidation(trx, scope, prepared, now)),
  }),
  route({
    method: 'get',
    path: `${draftPath}/diff`,
    operation: 'diffRuleDraft',
    heavy: true,
    summary: 'What changes against a version, the one in force by default: regions, constants, level',
    tag,
    allow: ['RUN_BACKOFFICE'],
    scope: ruleDraftInPath,
    demo: 'read',
    params: draftParams,
    query: DiffQuery,
    answers: { 200: DiffView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, query, now }) => {
      const before = await againstOf(services, trx, scope, query.against, now);
      return () => runInWorker('diff', { before, text: scope.document });
    },
    run: async ({ prepared }) => ok(prepared),
  }),
  route({
    method: 'post',
    path: `${draftPath}/try`,
    operation: 'tryRuleDraft',
    heavy: true,
    summary: 'Ask a draft: the answer with its trace and the smallest change that flips it',
    tag,
    allow: ['RUN_BACKOFFICE'],
    scope: ruleDraftInPath,
    demo: 'read',
    readOnly: true,
    params: draftParams,
    body: TryBody,
    answers: { 200: TryAnswer },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, body: { facts }, now }) => {
      const around = await trialDocuments(services, trx, scope, now);
      return () => runInWorker('try', { text: scope.document, facts, around });
    },
    run: async ({ prepared }) => ok(prepared),
  }),
];
