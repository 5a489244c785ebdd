// Changes before they are submitted for review: created, read, written, deleted, checked, compared and tried.
import { noContent, ok } from '#core/http/answers.ts';
import { Empty, NoContent, Nothing, page } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { acceptCases } from '../changes/accept-cases.ts';
import { checkOf, examination, saveCheck } from '../changes/check.ts';
import { differenceOf } from '../changes/diff.ts';
import { putDocument, removeDocument } from '../changes/documents/edit.ts';
import { createChange, deleteChange, editChange, lockedChange, titleOf } from '../changes/edit.ts';
import { etagOfChange, etagOfDocument, requireIfMatch, requireSeen } from '../changes/etags.ts';
import { requireReviewers } from '../changes/reviewers.ts';
import {
  AcceptCasesBody,
  ChangeDocumentView,
  ChangeEditBody,
  ChangeHeadView,
  ChangesListQuery,
  ChangeView,
  CheckView,
  ConstantBody,
  ExaminationView,
  ExamineBody,
  NewChangeBody,
  PutDocumentBody,
} from '../changes/schemas.ts';
import {
  changeConstantParams,
  changeDocumentParams,
  changeDocumentPath,
  changeInPath,
  changeParams,
  changePath,
} from '../changes/scopes.ts';
import { addConstant, setChangeConstant } from '../changes/set-constant.ts';
import { type ChangeDocument, type ChangeRow, documentsOf, nameOfDocument } from '../changes/store.ts';
import { requireImpersonal } from '../changes/text.ts';
import { ChangeDiffView, DiffQuery, TryChangeBody, TryChangeView } from '../changes/view-schemas.ts';
import { changeAnswer } from './answer.ts';
import { changePage } from './list.ts';
import { presentChanges, presentDocument } from './present.ts';
import { trialDocument, trialOf } from './try.ts';

const tag = 'rules workbench';
const reads = { tag, allow: ['RUN_BACKOFFICE'], scope: changeInPath, demo: 'read' } as const;
const writes = { tag, allow: ['PUBLISH_RULES'], scope: changeInPath, demo: 'blocked' } as const;
/** Texts of several documents. */
const bodyLimitBytes = 1024 * 1024;

const documentAnswer = async (trx: Trx, change: ChangeRow, document: ChangeDocument) => ({
  body: await presentDocument(trx, change, document),
  headers: { etag: etagOfDocument(document) },
});

export const changeRoutes = [
  route({
    ...reads,
    method: 'get',
    path: '/api/admin/rule-changes',
    operation: 'listRuleChanges',
    summary: 'Changes, newest first: what is being written, and what waits for review',
    scope: platformData,
    query: ChangesListQuery,
    answers: { 200: page(ChangeHeadView) },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, query, actor: { userId, permissions }, now }) => {
      const { items, nextCursor } = await changePage(services, trx, query, { userId, permissions, now });
      const changes = await presentChanges({ services, trx, now }, items);
      return ok({ items: changes.map(({ findings: _findings, ...head }) => head), nextCursor });
    },
  }),
  route({
    ...writes,
    method: 'post',
    path: '/api/admin/rule-changes',
    operation: 'createRuleChange',
    heavy: true,
    summary: 'Begin a change of any number of documents, or of a constant wherever it stands',
    scope: platformData,
    body: NewChangeBody,
    bodyLimitBytes,
    answers: { 201: ChangeView },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, body: { constants = [], ...body }, actor: { userId }, now }) => {
      let change = await createChange(trx, body, { userId, now });
      for (const { constantId: id, ...constant } of constants) {
        change = await addConstant(services, trx, change, { id, ...constant }, { userId, now });
      }
      return { ...(await changeAnswer({ services, trx, now }, change)), status: 201 as const };
    },
  }),
  route({
    ...reads,
    method: 'get',
    path: changePath,
    operation: 'getRuleChange',
    summary: 'A change with its documents, findings, approvals, report and place in the timeline',
    params: changeParams,
    answers: { 200: ChangeView, 304: Nothing },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, now }) => changeAnswer({ services, trx, now }, scope),
  }),
  route({
    ...writes,
    method: 'patch',
    path: changePath,
    operation: 'updateRuleChange',
    summary: 'Change title, reason and the people who are asked to review; If-Match quotes the ETag',
    params: changeParams,
    body: ChangeEditBody,
    answers: { 200: ChangeView },
    errors: ['CONFLICT', 'PRECONDITION_FAILED', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, body, actor: { userId }, now, header }) => {
      const ifMatch = header('if-match');
      requireIfMatch(ifMatch);
      for (const field of ['title', 'why'] as const) requireImpersonal(field, body[field] ?? '');
      if (body.title !== undefined) titleOf(body.title);
      await requireReviewers(services, trx, body.requestedReviewers);
      const change = await lockedChange(trx, scope);
      requireSeen(etagOfChange(change), ifMatch);
      return changeAnswer({ services, trx, now }, await editChange(trx, change, body, { userId, now }));
    },
  }),
  route({
    ...writes,
    method: 'delete',
    path: changePath,
    operation: 'deleteRuleChange',
    summary: 'Throw away a change that was never submitted, with its comments',
    params: changeParams,
    answers: { 204: NoContent },
    errors: ['CONFLICT', 'PRECONDITION_FAILED'],
    run: async ({ trx, scope, actor: { userId }, now, header }) => {
      const ifMatch = header('if-match');
      requireIfMatch(ifMatch);
      const change = await lockedChange(trx, scope);
      requireSeen(etagOfChange(change), ifMatch);
      await deleteChange(trx, change, { userId, now });
      return noContent();
    },
  }),
  route({
    ...reads,
    method: 'get',
    path: changeDocumentPath,
    operation: 'getChangeDocument',
    heavy: true,
    summary: 'A document of a change, with its base, findings and the cases that the check proposes',
    params: changeDocumentParams,
    answers: { 200: ChangeDocumentView, 304: Nothing },
    run: async ({ trx, scope, params }) => {
      const document = (await documentsOf(trx, [scope.id])).find(
        (one) => nameOfDocument(one) === nameOfDocument(params),
      );
      if (!document) throw notFound();
      return { status: 200 as const, ...(await documentAnswer(trx, scope, document)) };
    },
  }),
  route({
    ...writes,
    method: 'put',
    path: changeDocumentPath,
    operation: 'putChangeDocument',
    heavy: true,
    summary: 'Replace a text of a change, or let a document join it; If-Match quotes the ETag',
    params: changeDocumentParams,
    body: PutDocumentBody,
    bodyLimitBytes,
    answers: { 200: ChangeDocumentView, 201: ChangeDocumentView },
    errors: ['CONFLICT', 'PRECONDITION_FAILED'],
    run: async ({ trx, scope, params: { family, key }, body, actor: { userId }, now, header }) => {
      const place = { family, key };
      const written = await putDocument(trx, scope, place, body, header('if-match'), { userId, now });
      const answer = await documentAnswer(trx, written.change, written.document);
      return written.isNew ? { status: 201 as const, ...answer } : { status: 200 as const, ...answer };
    },
  }),
  route({
    ...writes,
    method: 'delete',
    path: changeDocumentPath,
    operation: 'removeChangeDocument',
    heavy: true,
    summary: 'Take a document out of a change; If-Match quotes the ETag of the document',
    params: changeDocumentParams,
    answers: { 200: ChangeView },
    errors: ['CONFLICT', 'PRECONDITION_FAILED', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, params: { family, key }, actor: { userId }, now, header }) => {
      const left = await removeDocument(trx, scope, { family, key }, header('if-match'), { userId, now });
      return changeAnswer({ services, trx, now }, left);
    },
  }),
  route({
    ...writes,
    method: 'put',
    path: `${changePath}/constants/:constantId`,
    operation: 'setChangeConstant',
    summary: 'Give a constant another value in every document that holds it; If-Match quotes the ETag',
    params: changeConstantParams,
    body: ConstantBody,
    answers: { 200: ChangeView },
    errors: ['CONFLICT', 'PRECONDITION_FAILED', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, params: { constantId: id }, body, actor: { userId }, now, header }) => {
      const constant = { id, ...body };
      const change = await setChangeConstant(services, trx, scope, constant, header('if-match'), { userId, now });
      return changeAnswer({ services, trx, now }, change);
    },
  }),
  route({
    ...writes,
    method: 'post',
    path: `${changePath}/check`,
    operation: 'checkRuleChange',
    heavy: true,
    summary: 'Check all documents together: findings, mutation scores, and validated without an error',
    params: changeParams,
    body: Empty,
    answers: { 200: CheckView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, now }) => checkOf(services, trx, scope, now),
    run: async ({ services, trx, scope, prepared, now }) => ok(await saveCheck(services, trx, scope, prepared, now)),
  }),
  route({
    ...reads,
    method: 'post',
    path: `${changePath}/examine`,
    operation: 'examineRuleChange',
    heavy: true,
    summary: 'Check unsaved texts of a change beside the saved ones; nothing is stored',
    readOnly: true,
    params: changeParams,
    body: ExamineBody,
    bodyLimitBytes,
    answers: { 200: ExaminationView },
    errors: ['ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, body, now }) => examination(services, trx, scope, body.documents, now),
    run: async ({ prepared }) => ok(prepared),
  }),
  route({
    ...writes,
    method: 'post',
    path: `${changePath}/accept-cases`,
    operation: 'acceptChangeCases',
    summary: 'Accept cases that the last check has proposed, with the reason; If-Match quotes the ETag',
    params: changeParams,
    body: AcceptCasesBody,
    answers: { 200: ChangeView },
    errors: ['CONFLICT', 'PRECONDITION_FAILED', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, body, actor: { userId }, now, header }) =>
      changeAnswer({ services, trx, now }, await acceptCases(trx, scope, body, header('if-match'), { userId, now })),
  }),
  route({
    ...reads,
    method: 'get',
    path: `${changePath}/diff`,
    operation: 'diffRuleChange',
    heavy: true,
    summary: 'What a change says otherwise than what is in force, or than its bases: regions, rows, constants',
    params: changeParams,
    query: DiffQuery,
    answers: { 200: ChangeDiffView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, query, now }) =>
      differenceOf(services, trx, scope, query.against ?? 'active', now),
    run: async ({ prepared }) => ok(prepared),
  }),
  route({
    ...reads,
    method: 'post',
    path: `${changePath}/try`,
    operation: 'tryRuleChange',
    heavy: true,
    summary: 'Ask a change on facts, or on a child’s newest run: the answers before and after it',
    readOnly: true,
    discloses: [trialDocument],
    params: changeParams,
    body: TryChangeBody,
    answers: { 200: TryChangeView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, body, now }) => trialOf(services, trx, scope, body, now),
    run: async ({ prepared }) => ({ ...ok(prepared.answer), discloses: [...prepared.discloses] }),
  }),
];
