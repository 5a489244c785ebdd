// Comments on a change: read, and written.
import { created, ok } from '#core/http/answers.ts';
import { object, page, pageQuery } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { addComment, commentPage } from '../changes/comments.ts';
import { changeInPath, changeParams, changePath } from '../changes/scopes.ts';
import { CommentBody, CommentView } from '../changes/view-schemas.ts';

const shared = { tag: 'rules workbench', scope: changeInPath, params: changeParams } as const;

export const commentRoutes = [
  route({
    ...shared,
    allow: ['RUN_BACKOFFICE'],
    demo: 'read',
    method: 'get',
    path: `${changePath}/comments`,
    operation: 'listChangeComments',
    summary: 'Comments on a change and on places in it, oldest first',
    query: object(pageQuery),
    answers: { 200: page(CommentView) },
    run: async ({ trx, scope, query }) => ok(await commentPage(trx, scope, query)),
  }),
  route({
    ...shared,
    demo: 'blocked',
    method: 'post',
    path: `${changePath}/comments`,
    operation: 'addChangeComment',
    summary: 'Comment on a change, or on a rule or constant of one of its documents',
    allow: ['PUBLISH_RULES', 'APPROVE_RULES'],
    body: CommentBody,
    answers: { 201: CommentView },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, body, actor: { userId }, now }) =>
      created(await addComment(trx, scope, body, { userId, now })),
  }),
];
