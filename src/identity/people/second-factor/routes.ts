// Routes with which administrators enroll, confirm and disable their own second factor.
import Type from 'typebox';
import { noContent, ok } from '#core/http/answers.ts';
import { NoContent, object } from '#core/http/schemas.ts';
import { type AppScope, route } from '#core/module/route.ts';
import { claimOwnAttempt } from '../attempts/own-attempt.ts';
import { isProofValid, verifyPassword } from '../credentials/own-password.ts';
import { FactorCode, TriedPassword } from '../credentials/schemas.ts';
import { User } from '../records/users.ts';
import { recordFactorChange } from './events.ts';
import { isFreshFromGoogle, proveOwner, wrongPassword } from './prove-owner.ts';
import {
  confirmSecondFactor,
  enrollSecondFactor,
  removeSecondFactor,
  requireAdministrator,
  requireFactorInUse,
  secondFactorRequired,
} from './second-factor.ts';
import { verifyFactor } from './verify.ts';

const tag = 'identity';

const ownUser: AppScope<User> = {
  reach: 'self',
  resolve: async ({ trx, actor }) => ({ row: await User.query(trx).findById(actor.userId).throwIfNotFound() }),
};

export const secondFactorRoutes = [
  route({
    method: 'post',
    path: '/api/auth/totp/enroll',
    operation: 'enrollTotp',
    summary: 'A new secret for the own second factor, unused until it is confirmed; for administrators',
    tag,
    allow: 'signed in',
    scope: ownUser,
    demo: 'blocked',
    limit: 'closed',
    body: object({ password: Type.Optional(TriedPassword) }),
    answers: { 200: object({ secret: Type.String(), otpauthUrl: Type.String() }) },
    errors: ['PERMISSION_DENIED', 'CONFLICT', 'INVALID_CREDENTIALS', 'BRUTE_FORCE_LOCKED'],
    prepare: async ({ services, trx, scope, actor, body: { password }, clientIp, now }) => {
      requireAdministrator(scope);
      if (await isFreshFromGoogle(trx, actor.sessionId, now)) return async () => scope.passwordHash;
      return async () => {
        await proveOwner(services, scope, { password, totp: 'not asked', clientIp }, now);
        return scope.passwordHash;
      };
    },
    run: async (ctx) => {
      const { services, trx, scope, now, prepared } = ctx;
      if (scope.passwordHash !== prepared) throw wrongPassword();
      const enrollment = await enrollSecondFactor({ trx, cipher: services.cipher, now }, scope);
      await recordFactorChange(ctx, scope, 'enrolled');
      return ok(enrollment);
    },
  }),
  route({
    method: 'post',
    path: '/api/auth/totp/confirm',
    operation: 'confirmTotp',
    summary: 'Put the second factor in use with a first code; the recovery codes are shown this once',
    tag,
    allow: 'signed in',
    scope: ownUser,
    demo: 'blocked',
    limit: 'closed',
    body: object({ code: FactorCode }),
    answers: { 200: object({ recoveryCodes: Type.Array(Type.String()) }) },
    errors: ['CONFLICT'],
    run: async (ctx) => {
      const { services, trx, scope, actor, body, now } = ctx;
      const confirmation = { code: body.code, sessionId: actor.sessionId };
      const codes = await confirmSecondFactor({ trx, cipher: services.cipher, now }, scope, confirmation);
      await recordFactorChange(ctx, scope, 'confirmed');
      return ok({ recoveryCodes: codes });
    },
  }),
  route({
    method: 'post',
    path: '/api/auth/totp/disable',
    operation: 'disableTotp',
    summary: 'Give up the second factor, with the password and a code',
    tag,
    allow: 'signed in',
    scope: ownUser,
    demo: 'blocked',
    limit: 'closed',
    body: object({ password: TriedPassword, code: FactorCode }),
    answers: { 204: NoContent },
    errors: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'BRUTE_FORCE_LOCKED', 'CONFLICT'],
    prepare:
      async ({ scope, body }) =>
      () =>
        verifyPassword(scope.passwordHash, body.password),
    run: async (ctx) => {
      const { trx, scope, body } = ctx;
      await requireFactorInUse(trx, scope);
      const attempt = await claimOwnAttempt(ctx, scope);
      if (!isProofValid(await User.query(trx).findById(scope.id), ctx.prepared))
        throw await attempt.committedRefusal(wrongPassword());
      if ((await verifyFactor(ctx, scope, body.code)) !== 'accepted')
        throw await attempt.committedRefusal(secondFactorRequired());
      await attempt.recordSuccess();
      await removeSecondFactor(trx, scope);
      await recordFactorChange(ctx, scope, 'disabled');
      return noContent();
    },
  }),
];
