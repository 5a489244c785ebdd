// Routes that merge two accounts of one child and undo that.
import { created, ok } from '#core/http/answers.ts';
import { IntegerIdText, idParams, object } from '#core/http/schemas.ts';
import { type AppScope, route } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { MergeView, organizationOf, presentMerge, StudentMerge, User } from '#identity/people/index.ts';
import { mergeStudents } from './merge.ts';
import { MergeBody, MergedView, UndoBody } from './schemas.ts';
import { unmergeStudents } from './undo.ts';

interface NamedAccount {
  readonly id: number;
  readonly organizationId: string;
}

/** The account that the path names, also when it was merged before: the merge refuses that itself. */
const namedAccount: AppScope<NamedAccount> = {
  reach: 'O',
  resolve: async ({ trx, actor, params }) => {
    const id = Number(params.id);
    const account = Number.isSafeInteger(id)
      ? await User.query(trx).findOne({ id, primaryPersona: 'STUDENT' }).whereNot({ status: 'deleted' })
      : undefined;
    if (!account || account.organizationId === null) throw notFound();
    const organization = await organizationOf({ trx, actor }, account.organizationId);
    return { row: { id, organizationId: organization.id }, organization };
  },
};

const mergeInOrganization: AppScope<StudentMerge> = {
  reach: 'O',
  resolve: async ({ trx, actor, params }) => {
    const id = Number(params.mergeId);
    const row = Number.isSafeInteger(id) ? await StudentMerge.query(trx).findOne({ id }) : undefined;
    if (!row) throw notFound();
    return { row, organization: await organizationOf({ trx, actor }, row.organizationId) };
  },
};

const common = { method: 'post', tag: 'tenancy', allow: ['MANAGE_ROSTER'], demo: 'blocked' } as const;

export const studentMergeRoutes = [
  route({
    ...common,
    path: '/api/students/:id/merge',
    operation: 'mergeStudents',
    summary: 'Merge the account of a student into another account of the same child',
    scope: namedAccount,
    params: idParams,
    body: MergeBody,
    answers: { 201: MergedView },
    errors: ['CONFLICT'],
    run: async ({ services, trx, actor, scope, body }) =>
      created(
        await mergeStudents(trx, services, {
          ...{ organizationId: scope.organizationId, studentId: scope.id, byUserId: actor.userId },
          ...{ intoStudentId: body.intoStudentId, reasonCode: body.reasonCode },
        }),
      ),
  }),
  route({
    ...common,
    path: '/api/student-merges/:mergeId/undo',
    operation: 'unmergeStudents',
    summary: 'Undo a merge of two accounts; what was measured meanwhile stays where it was taken',
    scope: mergeInOrganization,
    params: object({ mergeId: IntegerIdText }),
    body: UndoBody,
    answers: { 200: MergeView },
    errors: ['CONFLICT'],
    run: async ({ services, trx, actor, scope }) =>
      ok(presentMerge(await unmergeStudents(trx, services, scope, actor.userId))),
  }),
];
