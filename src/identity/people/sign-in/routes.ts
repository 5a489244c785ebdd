// Routes of sign-in, tokens and the caller's own account.
import { created, noContent, ok } from '#core/http/answers.ts';
import { NoContent, object } from '#core/http/schemas.ts';
import { publicRoute, route } from '#core/module/route.ts';
import { anySignedIn } from '#core/module/scopes.ts';
import { refreshSession } from '../auth-sessions/auth-sessions.ts';
import { logOut } from '../auth-sessions/logout.ts';
import { limitRefresh } from '../auth-sessions/refresh-limit.ts';
import { signInServices } from '../auth-sessions/sign-in-services.ts';
import { verifyPasswordChange } from '../credentials/own-password.ts';
import {
  LoginBody,
  LogoutBody,
  Me,
  NewPassword,
  RefreshBody,
  RegisterBody,
  Registered,
  Tokens,
  TriedPassword,
} from '../credentials/schemas.ts';
import { User } from '../records/users.ts';
import { changePassword } from './change-password.ts';
import { presentMe, presentUser } from './present.ts';
import { ownAccount } from './queries.ts';
import { registerSuperAdmin, requireRegistrationOpen, signIn } from './sign-in.ts';

const tag = 'identity';

const register = publicRoute({
  method: 'post',
  path: '/api/auth/register',
  operation: 'register',
  charge: 'sign-in',
  summary: 'Create the first administrator; closed for ever afterwards',
  tag,
  demo: 'loop',
  body: RegisterBody,
  answers: { 201: Registered },
  errors: ['PERMISSION_DENIED', 'EMAIL_EXISTS'],
  beforeValidation: ({ services, header }) =>
    requireRegistrationOpen(signInServices(services), header('x-bootstrap-token')),
  run: async ({ services, body, now, checked }) =>
    registerSuperAdmin(signInServices(services), body, now, ({ user, tokens }) =>
      checked(created({ user: presentUser(user), tokens })),
    ),
});

const login = publicRoute({
  method: 'post',
  path: '/api/auth/login',
  operation: 'login',
  charge: 'sign-in',
  summary: 'Sign in with e-mail and password',
  tag,
  demo: 'loop',
  limit: 'closed',
  body: LoginBody,
  answers: { 200: Tokens },
  errors: ['INVALID_CREDENTIALS', 'BRUTE_FORCE_LOCKED', 'SECOND_FACTOR_REQUIRED'],
  run: async ({ services, body, clientIp, now, checked }) =>
    signIn(signInServices(services), { ...body, clientIp }, now, (pair) => checked(ok(pair))),
});

const refreshTokens = publicRoute({
  method: 'post',
  path: '/api/auth/refresh',
  operation: 'refreshTokens',
  charge: 'by the handler',
  summary: 'Exchange a refresh token for a new pair; each token works once',
  tag,
  demo: 'loop',
  body: RefreshBody,
  answers: { 200: Tokens },
  errors: ['TOKEN_INVALID', 'SESSION_REVOKED'],
  run: async ({ services, body, clientIp, now, checked }) => {
    const own = signInServices(services);
    const { refreshToken } = body;
    await limitRefresh(own, refreshToken, clientIp);
    return refreshSession(own, { refreshToken, clientIp }, now, (pair) => checked(ok(pair)));
  },
});

const logout = route({
  method: 'post',
  path: '/api/auth/logout',
  operation: 'logout',
  summary: 'End this session, the one of a refresh token, or all of them',
  tag,
  allow: 'signed in',
  scope: anySignedIn,
  demo: 'loop',
  body: LogoutBody,
  answers: { 204: NoContent },
  run: async ({ trx, actor, body, now }) => {
    await logOut(trx, actor, body, now);
    return noContent();
  },
});

const getMe = route({
  method: 'get',
  path: '/api/auth/me',
  operation: 'getMe',
  summary: 'Who is signed in, with permissions and classes',
  tag,
  allow: 'signed in',
  scope: anySignedIn,
  demo: 'read',
  answers: { 200: Me },
  run: async ({ trx, actor }) => ok(presentMe(await ownAccount(trx, actor), actor)),
});

const changeOwnPassword = route({
  method: 'patch',
  path: '/api/auth/password',
  operation: 'changePassword',
  summary: 'Change the own password; all other sessions end',
  tag,
  allow: 'signed in',
  scope: anySignedIn,
  demo: 'blocked',
  limit: 'closed',
  body: object({ currentPassword: TriedPassword, newPassword: NewPassword }),
  answers: { 204: NoContent },
  errors: ['INVALID_CREDENTIALS', 'BRUTE_FORCE_LOCKED'],
  prepare: async ({ trx, actor, body }) => {
    const user = await User.query(trx).findById(actor.userId);
    return () => verifyPasswordChange(user?.passwordHash, body);
  },
  run: async (ctx) => {
    await changePassword(ctx, ctx.body, ctx.prepared);
    return noContent();
  },
});

export const signInRoutes = [register, login, refreshTokens, logout, getMe, changeOwnPassword];
