// Enrolling, confirming and giving up the own second factor.
import Type from 'typebox';
import { KeptRefusal } from '../http/guards.ts';
import { noContent, ok } from '../http/route.ts';
import { NoContent, object } from '../http/schemas.ts';
import { AppError } from '../platform/errors.ts';
import { type AppScope, route } from '../route.ts';
import { claimAttempt, forgetFailures, loginByEmail } from './attempts.ts';
import { passwordMatches } from './passwords.ts';
import { FactorCode, TriedPassword } from './schemas.ts';
import {
  confirmSecondFactor,
  enrollSecondFactor,
  forgetSecondFactor,
  requireFactorInUse,
  secondFactorRequired,
  showSecondFactor,
} from './second-factor.ts';
import { subjectOf } from './sign-in-limits.ts';
import { User } from './store.ts';

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
    answers: { 200: object({ secret: Type.String(), otpauthUrl: Type.String() }) },
    errors: ['PERMISSION_DENIED', 'CONFLICT'],
    run: async ({ services: { vault }, trx, scope, now }) => ok(await enrollSecondFactor({ trx, vault, now }, scope)),
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
    run: async ({ services: { vault }, trx, scope, actor: { sessionId }, body: { code }, now }) => {
      const codes = await confirmSecondFactor({ trx, vault, now }, scope, { code, sessionId });
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
    run: async ({ services, trx, scope, body: { password, code }, now }) => {
      await requireFactorInUse(trx, scope.id);
      const tries = subjectOf(services, loginByEmail, scope.email ?? `user:${scope.id}`);
      await claimAttempt(trx, tries, now);
      if (!(await passwordMatches(scope.passwordHash, password))) throw new KeptRefusal(wrongPassword());
      const shown = await showSecondFactor({ trx, vault: services.vault, now }, scope, code);
      if (shown !== 'shown') throw new KeptRefusal(secondFactorRequired());
      await forgetFailures(trx, tries);
      await forgetSecondFactor(trx, scope.id);
      return noContent();
    },
  }),
];

const wrongPassword = () => new AppError('INVALID_CREDENTIALS', 'The password is wrong.');
