// Routes of people and of the links between parents and children.
import { created, noContent, ok } from '#core/http/answers.ts';
import type { Actor } from '#core/http/route.ts';
import { IntegerIdText, idParams, NoContent, object, page } from '#core/http/schemas.ts';
import { type AppScope, route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { mergesOf } from '../merges/rows.ts';
import { organizationOf, studentInOrganization, studentWriteErrors } from '../reach/scopes.ts';
import { User } from '../records/users.ts';
import { mergedRefusal } from '../students/merged.ts';
import { linkParent, unlinkParent } from '../students/parent-links.ts';
import { presentCreated, presentLink, presentPerson, presentWithMerges } from './present.ts';
import { listUsers } from './queries.ts';
import {
  LinkParentBody,
  LinkView,
  NewUserBody,
  UserCreated,
  UserListQuery,
  UserPatch,
  UserView,
  UserWithMerges,
} from './schemas.ts';
import { prepareUpdate, updateUser } from './update.ts';
import {
  createUser,
  deactivateUser,
  duplicatesOfNew,
  firstQuickCode,
  hashNewPassword,
  reactivateUser,
} from './users.ts';

const tag = 'tenancy';

/** A person of the organization; a student's account that was merged into another one can only be read. */
export const userInOrganization: AppScope<User> = {
  reach: 'O',
  writeErrors: studentWriteErrors,
  resolve: async ({ trx, actor, params }) => {
    const id = Number(params.id);
    const row = Number.isSafeInteger(id) ? await User.query(trx).findById(id) : undefined;
    if (!row) throw notFound();
    if (row.organizationId === null) return { row };
    const organization = await organizationOf({ trx, actor }, row.organizationId);
    return { row, organization, ...(row.status === 'merged' && { writeRefusal: mergedRefusal() }) };
  },
};

interface PasswordSetting {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
  readonly clientIp: string;
}

/** Records that an administrator set another person's password: two people now know it. */
function recordPasswordSet({ services, trx, actor, now, clientIp }: PasswordSetting, user: User): Promise<void> {
  const { organizationId, id: subjectId } = user;
  const who = { organizationId, userId: actor.userId, addressHash: services.addressHash(clientIp), at: now };
  return services.securityEvents.recordWith(trx, { kind: 'password_set', ...who, details: { subjectId } });
}

export const userRoutes = [
  route({
    method: 'post',
    path: '/api/users',
    operation: 'createUser',
    summary: 'Create a person of one persona with what belongs to it',
    tag,
    allow: ['MANAGE_ORG'],
    scope: ownOrganization,
    demo: 'blocked',
    body: NewUserBody,
    answers: { 201: UserCreated },
    errors: ['NOT_FOUND', 'EMAIL_EXISTS', 'CONFLICT'],
    prepare:
      async ({ body }) =>
      () =>
        hashNewPassword(body.password),
    run: async (ctx) => {
      const user = await createUser(ctx, ctx.body, ctx.prepared);
      const quickCode = await firstQuickCode(ctx, user);
      const possibleDuplicates = await duplicatesOfNew(ctx, user, ctx.body);
      return created(presentCreated(user, { quickCode, possibleDuplicates }));
    },
  }),
  route({
    method: 'get',
    path: '/api/users',
    operation: 'listUsers',
    summary: 'People, by persona, status, school, class or part of name or e-mail',
    tag,
    allow: ['MANAGE_ORG'],
    scope: ownOrganization,
    demo: 'read',
    query: UserListQuery,
    answers: { 200: page(UserView) },
    run: async ({ trx, query }) => ok(await listUsers(trx, query)),
  }),
  route({
    method: 'get',
    path: '/api/users/:id',
    operation: 'getUser',
    summary: 'One person',
    tag,
    allow: ['MANAGE_ORG'],
    scope: userInOrganization,
    demo: 'read',
    params: idParams,
    answers: { 200: UserWithMerges },
    run: async ({ trx, scope }) => {
      const { id, organizationId, primaryPersona } = scope;
      const isStudent = primaryPersona === 'STUDENT' && organizationId !== null;
      return ok(presentWithMerges(scope, isStudent ? await mergesOf(trx, { id, organizationId }) : []));
    },
  }),
  route({
    method: 'patch',
    path: '/api/users/:id',
    operation: 'updateUser',
    summary: 'Change a person; a new password ends the sessions',
    tag,
    allow: ['MANAGE_ORG'],
    scope: userInOrganization,
    demo: 'blocked',
    params: idParams,
    body: UserPatch,
    answers: { 200: UserView },
    errors: ['EMAIL_EXISTS', 'CONFLICT', 'INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'BRUTE_FORCE_LOCKED'],
    prepare: async (ctx) => prepareUpdate(ctx, ctx.scope, ctx.body),
    run: async (ctx) => {
      const { currentPassword: _password, totp: _code, ...change } = ctx.body;
      const changed = await updateUser(ctx, ctx.scope, change, ctx.prepared);
      if (ctx.body.password !== undefined && changed.id !== ctx.actor.userId) await recordPasswordSet(ctx, changed);
      return ok(presentPerson(changed));
    },
  }),
  route({
    method: 'post',
    path: '/api/users/:id/deactivate',
    operation: 'deactivateUser',
    summary: 'Close an account; its sessions end at once',
    tag,
    allow: ['MANAGE_ORG'],
    scope: userInOrganization,
    demo: 'blocked',
    params: idParams,
    answers: { 200: UserView },
    errors: ['CONFLICT'],
    run: async (ctx) => ok(presentPerson(await deactivateUser(ctx, ctx.scope))),
  }),
  route({
    method: 'post',
    path: '/api/users/:id/reactivate',
    operation: 'reactivateUser',
    summary: 'Open a closed account again',
    tag,
    allow: ['MANAGE_ORG'],
    scope: userInOrganization,
    demo: 'blocked',
    params: idParams,
    answers: { 200: UserView },
    errors: ['CONFLICT'],
    run: async (ctx) => ok(presentPerson(await reactivateUser(ctx, ctx.scope))),
  }),
];

export const parentLinkRoutes = [
  route({
    method: 'post',
    path: '/api/students/:id/parents',
    operation: 'linkParent',
    summary: 'Link a parent to a student',
    tag,
    allow: ['MANAGE_ROSTER'],
    scope: studentInOrganization,
    demo: 'blocked',
    params: idParams,
    body: LinkParentBody,
    answers: { 201: LinkView },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, body }) => created(presentLink(await linkParent(trx, scope, body.parentUserId))),
  }),
  route({
    method: 'delete',
    path: '/api/students/:id/parents/:parentUserId',
    operation: 'unlinkParent',
    summary: 'Remove the link between a parent and a student',
    tag,
    allow: ['MANAGE_ROSTER'],
    scope: studentInOrganization,
    demo: 'blocked',
    params: object({ id: IntegerIdText, parentUserId: IntegerIdText }),
    answers: { 204: NoContent },
    run: async ({ trx, scope, params }) => {
      await unlinkParent(trx, scope, Number(params.parentUserId));
      return noContent();
    },
  }),
];
