// Handles the browser's return from Google, and redirects it to the wizard with the outcome.
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx, violatedConstraint } from '#core/platform/db.ts';
import { AppError, denied, type ErrorCode, unavailable } from '#core/platform/errors.ts';
import { type Grant, User } from '#identity/people/index.ts';
import { LmsConnection, lockConnection } from '../connections/rows.ts';
import { sealCredentials } from '../providers/credentials.ts';
import { nextRunAt } from '../scheduled/schedule.ts';
import { classroomScopes } from './start.ts';
import { cipherContext, connectStateExpired, type OauthState, takeState } from './states.ts';

export interface OauthReturn {
  readonly query: Readonly<Record<string, string>>;
  readonly cookieHashes: readonly string[];
  readonly requestId: string;
  readonly now: Date;
}

/**
 * Returns the address of the wizard, with the connection or with `error`: PERMISSION_DENIED, TOKEN_INVALID, CONFLICT. Throws
 * STATE_EXPIRED when no pending connection is found, and ENGINE_UNAVAILABLE while the provider cannot be reached.
 */
export async function finishGrant(services: Services, callback: OauthReturn): Promise<string> {
  const { db, config, google } = services;
  const state = await takeState(db, callback.query.state ?? '', callback.cookieHashes, callback.now);
  const pending = await inContext(db, { organizationId: state.organizationId }, (trx) => isPending(trx, state));
  if (!pending) throw connectStateExpired();
  if (!google) throw unavailable('Google Classroom is not set up here.');
  const wizard = (outcome: Outcome) => wizardUrl(config.frontendUrl ?? state.redirectUri, outcome);
  try {
    if (callback.query.error !== undefined) throw denied('The request was declined.');
    const grant = await google.grantOf(
      callbackOf(state, callback.query),
      secretsOf(services, state, callback.query.state ?? ''),
    );
    await activate(services, state, refreshTokenOf(grant, classroomScopes(config)), callback.requestId);
    return wizard({ connectionId: state.connectionId });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'ENGINE_UNAVAILABLE' || error.code === 'STATE_EXPIRED')
      throw error;
    return wizard({ error: error.code });
  }
}

async function isPending(trx: Trx, { organizationId, connectionId: id }: OauthState): Promise<boolean> {
  const row = await LmsConnection.query(trx).findOne({ organizationId, id }).select('status');
  return row?.status === 'pending';
}

function callbackOf({ redirectUri }: OauthState, query: Readonly<Record<string, string>>): URL {
  const callback = new URL(redirectUri);
  callback.search = new URLSearchParams(query).toString();
  return callback;
}

function secretsOf({ cipher }: Services, { nonce, encryptedVerifier, stateHash }: OauthState, state: string) {
  return { state, nonce, verifier: cipher.decrypt(encryptedVerifier, cipherContext(stateHash)) };
}

/** Throws PERMISSION_DENIED when a scope is missing and TOKEN_INVALID when there is no refresh token. */
function refreshTokenOf({ refreshToken, scopes }: Grant, wanted: readonly string[]): string {
  if (!wanted.every((scope) => scopes.includes(scope)))
    throw denied('Google consent is missing a required permission.');
  if (refreshToken === undefined) throw new AppError('TOKEN_INVALID', 'The provider gives no lasting token.');
  return refreshToken;
}

/** The account that started the connection must still be active. */
async function activate(
  { db, clock, cipher, nameWriter }: Services,
  { organizationId, connectionId: id }: OauthState,
  refreshToken: string,
  requestId: string,
): Promise<void> {
  await inContext(db, 'SUPER', async (trx) => {
    const connection = await lockConnection(trx, { organizationId, id });
    const now = clock.now();
    const waits = connection?.status === 'pending' && new Date(connection.expiresAt ?? 0) > now;
    if (!connection || !waits) throw connectStateExpired();
    const user = await User.query(trx).findOne({ id: connection.connectedBy }).select('status');
    if (user?.status !== 'active') throw denied('The account that began is closed.');
    await nameWriter(trx, { actorUserId: connection.connectedBy, operation: 'finishLmsOauth', requestId }, now);
    const { sealed, keyId } = sealCredentials(cipher, connection, { refreshToken });
    await LmsConnection.query(trx)
      .findById([organizationId, id])
      .patch({
        status: 'active',
        expiresAt: null,
        sealedCredentials: sealed,
        credentialsKeyId: keyId,
        nextRunAt: nextRunAt(id, now).toISOString(),
      });
  }).catch((error: unknown) => {
    if (violatedConstraint(error) !== 'lms_connection_one_active') throw error;
    throw new AppError('CONFLICT', 'This provider is connected already.');
  });
}

type Outcome = { readonly connectionId: string } | { readonly error: ErrorCode };

function wizardUrl(base: string, outcome: Outcome): string {
  const { origin, pathname } = new URL(base);
  const path = pathname.replace(/\/api\/.*$/, '').replace(/(?<!\/)\/+$/, '');
  const url = new URL(`${origin}${path}/lms/wizard`);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  return url.href;
}
