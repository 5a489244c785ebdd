// Sign-in with Google: the redirect with a state, and the callback with a code, which the frontend exchanges for tokens
// (`exchange.ts`). Reading a state deletes it in the same statement.

import type { Services } from '#core/module/services.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { AppError, type ErrorCode, unavailable } from '#core/platform/errors.ts';
import { newSecret } from '#core/platform/ids.ts';
import { modelOf } from '#core/platform/model.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { HandoffCode } from '../records/users.ts';
import { type GoogleClient, newSignInSecrets, type SignInSecrets } from './client.ts';
import { signInExpired } from './exchange.ts';
import { findLinkedAccount } from './external-identity.ts';

const stateLifeMs = 10 * minuteMs;
const handoffLifeMs = 60_000;

interface State {
  readonly nonce: string;
  readonly encryptedVerifier: string;
  readonly redirectUri: string;
  readonly returnTo: string | null;
  readonly handoffChallenge: string | null;
  readonly expiresAt: string;
}

const GoogleState = modelOf<State & { readonly stateHash: string; readonly cookieHash: string }>('google_state', {
  id: 'stateHash',
});

const cipherContext = (stateHash: string) => `google_state:${stateHash}`;

function requireClient({ google }: Services): GoogleClient {
  if (!google) throw unavailable('Sign-in with Google is not set up here.');
  return google;
}

export interface StartInput {
  readonly redirectUri: string;
  readonly returnTo?: string;
  /** S256 challenge of the verifier that the frontend keeps for the exchange. */
  readonly handoffChallenge?: string;
}

/**
 * Returns the URL to redirect the browser to, and the secret for its cookie. Throws ENGINE_UNAVAILABLE when no client is
 * configured or the provider cannot be reached.
 */
export async function startGoogleSignIn(
  services: Services,
  { redirectUri, returnTo, handoffChallenge }: StartInput,
  now: Date,
): Promise<{ url: string; browserSecret: string }> {
  const secrets = newSignInSecrets();
  const url = await requireClient(services).authorizationUrl(redirectUri, secrets);
  const stateHash = sha256Hex(secrets.state);
  const browserSecret = newSecret();
  await GoogleState.query(services.db).insert({
    stateHash,
    cookieHash: sha256Hex(browserSecret),
    nonce: secrets.nonce,
    encryptedVerifier: services.cipher.encrypt(secrets.verifier, cipherContext(stateHash)),
    redirectUri,
    returnTo: returnTo ?? null,
    handoffChallenge: handoffChallenge ?? null,
    expiresAt: new Date(now.getTime() + stateLifeMs).toISOString(),
  });
  return { url, browserSecret };
}

/**
 * Returns the frontend URL to redirect to, with a handoff code or with `error`. Throws STATE_EXPIRED when the state is
 * unknown, used, or from another browser: then there is no frontend URL to return to.
 */
export async function finishGoogleSignIn(
  services: Services,
  query: Readonly<Record<string, string>>,
  cookieHashes: readonly string[],
  now: Date,
): Promise<string> {
  const state = await consumeState(services.db, query.state ?? '', cookieHashes);
  const client = requireClient(services);
  try {
    if (now >= new Date(state.expiresAt)) throw signInExpired();
    if (query.error !== undefined) throw new AppError('PERMISSION_DENIED', 'The sign-in was declined.');
    const code = await createHandoffCode(services, client, state, query, now);
    return frontendUrl(services, state, { code });
  } catch (error) {
    if (error instanceof AppError && error.code !== 'ENGINE_UNAVAILABLE') {
      return frontendUrl(services, state, { error: error.code });
    }
    throw error;
  }
}

async function consumeState(db: Db, state: string, cookieHashes: readonly string[]): Promise<State> {
  const [row] = await GoogleState.query(db)
    .where({ stateHash: sha256Hex(state) })
    .whereIn('cookieHash', [...cookieHashes])
    .delete()
    .returning('*');
  if (!row) throw signInExpired();
  return row;
}

async function createHandoffCode(
  services: Services,
  client: GoogleClient,
  state: State,
  query: Readonly<Record<string, string>>,
  now: Date,
): Promise<string> {
  const callback = new URL(state.redirectUri);
  callback.search = new URLSearchParams(query).toString();
  const identity = await client.identityOf(callback, secretsOf(services, state, query.state ?? ''));
  return inContext(services.db, 'SUPER', async (trx) => {
    const user = await findLinkedAccount(trx, identity, now);
    const code = newSecret();
    await HandoffCode.query(trx).insert({
      codeHash: sha256Hex(code),
      organizationId: storedOrganization(user.organizationId),
      userId: user.id,
      handoffChallenge: state.handoffChallenge,
      expiresAt: new Date(now.getTime() + handoffLifeMs).toISOString(),
    });
    return code;
  });
}

function secretsOf({ cipher }: Services, { nonce, encryptedVerifier }: State, state: string): SignInSecrets {
  return { state, nonce, verifier: cipher.decrypt(encryptedVerifier, cipherContext(sha256Hex(state))) };
}

function frontendUrl(
  { config }: Services,
  { redirectUri, returnTo }: State,
  outcome: { code: string } | { error: ErrorCode },
): string {
  const url = new URL('/auth/callback', config.frontendUrl ?? redirectUri);
  if (config.frontendUrl !== undefined)
    url.pathname = `${new URL(config.frontendUrl).pathname.replace(/\/$/, '')}/auth/callback`;
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  if (returnTo !== null) url.searchParams.set('returnTo', returnTo);
  return url.href;
}

/** Deletes expired states, handoff codes and recovery links. */
export async function purgeOldSignIns({ db }: Services, now: Date): Promise<void> {
  await GoogleState.query(db).where('expiresAt', '<=', now).delete();
  for (const table of ['handoff_code', 'password_recovery']) {
    await inContext(db, 'SUPER', (trx) => trx(table).where('expiresAt', '<=', now).delete());
  }
}
