// Sessions of the workbench in a browser: auth sessions of backoffice staff whose refresh token is in a cookie.

import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { denied } from '#core/platform/errors.ts';
import { authenticate, refreshLifeMs, type TokenPair } from '../auth-sessions/auth-sessions.ts';
import { endSessionOf } from '../auth-sessions/logout.ts';
import { ownAddress } from '../auth-sessions/own-address.ts';
import type { Permission } from '../records/permissions.ts';
import { presentMe } from '../sign-in/present.ts';
import { ownAccount } from '../sign-in/queries.ts';
import { refreshCookie } from './cookie.ts';

type SessionServices = Pick<Services, 'config' | 'tokens'>;

interface Issued {
  readonly trx: Trx;
  readonly pair: TokenPair;
  readonly now: Date;
}

/** Throws PERMISSION_DENIED for an account without backoffice; the transaction that issued the tokens is then rolled back. */
export async function presentOpened(services: SessionServices, issued: Issued) {
  const actor = await requireBackoffice(services, issued);
  const user = presentMe(await ownAccount(issued.trx, actor), actor);
  const { accessToken, expiresIn } = issued.pair;
  return { status: 200 as const, body: { accessToken, expiresIn, user }, headers: cookieOf(services, issued) };
}

/** Throws as `presentOpened` does, for an account that has lost its role since. */
export async function presentRefreshed(services: SessionServices, issued: Issued) {
  await requireBackoffice(services, issued);
  const { accessToken, expiresIn } = issued.pair;
  return { status: 200 as const, body: { accessToken, expiresIn }, headers: cookieOf(services, issued) };
}

const needed: Permission = 'RUN_BACKOFFICE';

/** A permission that is withheld until a second factor was shown belongs to the role: its owner can enroll. */
async function requireBackoffice({ config, tokens }: SessionServices, { trx, pair, now }: Issued): Promise<Actor> {
  const claims = await tokens.verify(`Bearer ${pair.accessToken}`, now);
  const actor = await authenticate(trx, claims, now, config.production);
  if (!actor.permissions.has(needed) && !actor.withheld?.has(needed)) {
    throw denied('This account has no place in the workbench: it is for backoffice staff.');
  }
  return actor;
}

const cookieOf = ({ config }: SessionServices, { pair }: Issued) => ({
  'set-cookie': refreshCookie(ownAddress(config), pair.refreshToken, refreshLifeMs),
});

/** Ends the session of a cookie, if there is one. If `respond` throws, it goes on. */
export async function endCookieSession<Result>(
  { db }: Pick<Services, 'db'>,
  refreshToken: string | undefined,
  now: Date,
  respond: () => Result,
): Promise<Result> {
  if (refreshToken === undefined) return respond();
  return inContext(db, 'SUPER', async (trx) => {
    await endSessionOf(trx, refreshToken, now);
    return respond();
  });
}
