// Sends an administrator to Google for consent, and stores the pending connection and its state.
import type { Services } from '#core/module/services.ts';
import type { Config } from '#core/platform/config/config.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, unavailable } from '#core/platform/errors.ts';
import { newId, newSecret } from '#core/platform/ids.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { newSignInSecrets, ownAddress } from '#identity/people/index.ts';
import { refuseSecond } from '../connections/connections.ts';
import { LmsConnection } from '../connections/rows.ts';
import { cipherContext, LmsOauthState, stateLifeMs } from './states.ts';

const scopePrefix = 'https://www.googleapis.com/auth/classroom.';

/** The scopes allow reading courses, their members and email addresses, and guardians when these are imported. */
export const classroomScopes = ({ lms }: Pick<Config, 'lms'>): readonly string[] =>
  [
    'courses.readonly',
    'rosters.readonly',
    'profile.emails',
    ...(lms.guardianImport ? ['guardianlinks.students.readonly'] : []),
  ].map((scope) => scopePrefix + scope);

const provider = 'google_classroom';
const callbackPath = `/api/lms/connections/${provider}/oauth-callback`;

export interface Departure {
  readonly url: string;
  readonly redirectUri: string;
  readonly secrets: ReturnType<typeof newSignInSecrets>;
}

/**
 * The caller holds no transaction, because this requests the provider's metadata. Throws ENGINE_UNAVAILABLE without a client and
 * while the provider cannot be reached.
 */
export async function departure({ google, config }: Services): Promise<Departure> {
  if (!google) throw unavailable('Google Classroom is not set up here.');
  const redirectUri = ownAddress(config) + callbackPath;
  const secrets = newSignInSecrets();
  // Without `consent` and `offline` Google returns a refresh token only at the first consent.
  const parameters = { access_type: 'offline', prompt: 'consent' };
  const url = await google.authorizationUrl(redirectUri, secrets, { scopes: classroomScopes(config), parameters });
  return { url, redirectUri, secrets };
}

interface Starting {
  readonly organizationId: string;
  readonly userId: number;
  readonly now: Date;
}

/**
 * Stores a pending connection in place of an earlier one, and returns the secret of the browser. Throws CONFLICT
 * `connection_active`.
 */
export async function waitForGrant(
  trx: Trx,
  { cipher }: Pick<Services, 'cipher'>,
  { organizationId, userId, now }: Starting,
  { redirectUri, secrets }: Departure,
): Promise<string> {
  await refuseSecond(trx, organizationId, provider);
  await LmsConnection.query(trx).where({ organizationId, provider, status: 'pending' }).delete();
  const id = newId();
  const expiresAt = new Date(now.getTime() + stateLifeMs).toISOString();
  const inserted = await LmsConnection.query(trx)
    .insert({
      organizationId,
      id,
      provider,
      kind: 'oauth',
      status: 'pending',
      connectedBy: userId,
      createdAt: now.toISOString(),
      expiresAt,
    })
    .onConflict()
    .ignore()
    .returning('id')
    .toKnexQuery();
  if (inserted.length === 0) throw conflict('start_under_way', 'Another start is under way; try again.');
  const stateHash = sha256Hex(secrets.state);
  const browserSecret = newSecret();
  await LmsOauthState.query(trx).insert({
    stateHash,
    organizationId,
    connectionId: id,
    cookieHash: sha256Hex(browserSecret),
    nonce: secrets.nonce,
    encryptedVerifier: cipher.encrypt(secrets.verifier, cipherContext(stateHash)),
    redirectUri,
    expiresAt,
  });
  return browserSecret;
}
