// Routes of the session of a browser in the workbench. The access token is in the answer, the refresh token in a cookie only.
import Type from 'typebox';
import { Empty, NoContent, object } from '#core/http/schemas.ts';
import { publicRoute } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { tokenInvalid } from '../auth-sessions/access-tokens.ts';
import { refreshSession, type TokenPair } from '../auth-sessions/auth-sessions.ts';
import { ownAddress } from '../auth-sessions/own-address.ts';
import { limitRefresh } from '../auth-sessions/refresh-limit.ts';
import { signInServices } from '../auth-sessions/sign-in-services.ts';
import { LoginBody, Me } from '../credentials/schemas.ts';
import { exchangeHandoff } from '../google/exchange.ts';
import { exchangeFields } from '../google/schemas.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { refreshTokenIn, removedCookie, sessionPath } from './cookie.ts';
import { requireOwnPage } from './own-page.ts';
import { endCookieSession, presentOpened, presentRefreshed } from './session.ts';

type Headed = { readonly services: Services; header(name: string): string | undefined };

const shared = {
  tag: 'identity',
  demo: 'loop',
  beforeValidation: async ({ services, header }: Headed) => requireOwnPage(services.config, header),
} as const;

const tokenFields = { accessToken: Type.String(), expiresIn: Type.Integer() };

const refreshTokenOf = ({ services, header }: Headed) => refreshTokenIn(ownAddress(services.config), header('cookie'));

const openWorkbenchSession = publicRoute({
  ...shared,
  method: 'post',
  path: sessionPath,
  operation: 'openWorkbenchSession',
  charge: 'sign-in',
  limit: 'closed',
  summary: 'Sign in to the workbench by password or the code of a redirect; the refresh token is a cookie',
  body: Type.Union([LoginBody, object(exchangeFields)]),
  answers: { 200: object({ ...tokenFields, user: Me }) },
  errors: ['INVALID_CREDENTIALS', 'BRUTE_FORCE_LOCKED', 'SECOND_FACTOR_REQUIRED', 'STATE_EXPIRED', 'PERMISSION_DENIED'],
  run: async ({ services, body, header, clientIp, now, checked }) => {
    const own = signInServices(services);
    const respond = async (pair: TokenPair, trx: Trx) => checked(await presentOpened(own, { trx, pair, now }));
    const opened =
      'code' in body
        ? await exchangeHandoff(own, { ...body, clientIp }, now, respond)
        : await signIn(own, { ...body, clientIp }, now, respond);
    // The browser replaces the cookie, so the session of the one before could not be ended later.
    return endCookieSession(own, refreshTokenOf({ services, header }), now, () => opened);
  },
});

const refreshWorkbenchSession = publicRoute({
  ...shared,
  method: 'post',
  path: `${sessionPath}/refresh`,
  operation: 'refreshWorkbenchSession',
  charge: 'by the handler',
  summary: 'Exchange the cookie for an access token and another cookie; each works once',
  body: Empty,
  answers: { 200: object(tokenFields) },
  errors: ['TOKEN_INVALID', 'SESSION_REVOKED', 'PERMISSION_DENIED'],
  run: async ({ services, header, clientIp, now, checked }) => {
    const own = signInServices(services);
    const refreshToken = refreshTokenOf({ services, header });
    await limitRefresh(own, refreshToken ?? '', clientIp);
    if (refreshToken === undefined) throw tokenInvalid();
    return refreshSession(own, { refreshToken, clientIp }, now, async (pair, trx) =>
      checked(await presentRefreshed(own, { trx, pair, now })),
    );
  },
});

const closeWorkbenchSession = publicRoute({
  ...shared,
  method: 'delete',
  path: sessionPath,
  operation: 'closeWorkbenchSession',
  summary: 'End the workbench session of the cookie, and remove the cookie',
  answers: { 204: NoContent },
  errors: ['PERMISSION_DENIED'],
  run: async ({ services, header, now, checked }) => {
    const headers = { 'set-cookie': removedCookie(ownAddress(services.config)) };
    return endCookieSession(signInServices(services), refreshTokenOf({ services, header }), now, () =>
      checked({ status: 204 as const, body: undefined, headers }),
    );
  },
});

export const workbenchSessionRoutes = [openWorkbenchSession, refreshWorkbenchSession, closeWorkbenchSession];
