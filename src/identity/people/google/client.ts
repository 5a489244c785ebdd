// The OpenID Connect client: authorization URLs, and identities and grants from callbacks.
import * as oidc from 'openid-client';
import type { Config } from '#core/platform/config/config.ts';
import { AppError, unavailable } from '#core/platform/errors.ts';
import { requireNoTransaction } from '#core/platform/transactions/outside.ts';

/** Stored between the authorization request and the callback. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE */
  readonly verifier: string;
}

export interface ProviderIdentity {
  readonly subject: string;
  /** Lower case; undefined unless the provider has verified it and is authoritative for its domain. */
  readonly email: string | undefined;
  /** Domain of the organization's account at the provider. */
  readonly hostedDomain: string | undefined;
}

/** Consent that is requested in addition to a sign-in. */
export interface ExtraConsent {
  /** In addition to `openid email`. */
  readonly scopes: readonly string[];
  /** Parameters of the authorization request, in addition to those of the protocol. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The consent that a person has given. */
export interface Grant {
  /** Undefined when the provider returned none. */
  readonly refreshToken: string | undefined;
  readonly scopes: readonly string[];
}

/** The endpoints and client credentials with which tokens are renewed and revoked. */
export interface TokenService {
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface GoogleClient {
  /** Throws ENGINE_UNAVAILABLE while the provider cannot be reached. */
  authorizationUrl(redirectUri: string, secrets: SignInSecrets, consent?: ExtraConsent): Promise<string>;
  /** Returns the additional consent of a callback; throws as `identityOf` does. */
  grantOf(callback: URL, secrets: SignInSecrets): Promise<Grant>;
  /** Throws ENGINE_UNAVAILABLE while the provider cannot be reached. */
  tokenService(): Promise<TokenService>;
  /** `callback` is the URL that the browser returned to. Throws TOKEN_INVALID when the provider does not confirm it. */
  identityOf(callback: URL, secrets: SignInSecrets): Promise<ProviderIdentity>;
}

const defaultTimeoutMs = 5_000;

export const newSignInSecrets = (): SignInSecrets => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
});

/** Returns undefined when no client is configured. No request is sent to the provider before the first sign-in. */
export function googleClient({ google, production }: Config, timeoutMs = defaultTimeoutMs): GoogleClient | undefined {
  const { clientId, clientSecret } = google;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const issuer = new URL(google.issuer);
  const plainHttp = issuer.protocol === 'http:' && !production;
  const configuration = discoverOnce(() =>
    oidc.discovery(issuer, clientId, clientSecret, undefined, {
      timeout: timeoutMs / 1_000,
      execute: [oidc.enableNonRepudiationChecks, ...(plainHttp ? [oidc.allowInsecureRequests] : [])],
    }),
  );
  return {
    authorizationUrl: async (redirectUri, secrets, consent) => {
      const provider = await configuration().catch(refuse);
      const challenge = await oidc.calculatePKCECodeChallenge(secrets.verifier);
      return authorizationUrl(provider, { redirectUri, secrets, challenge, consent });
    },
    identityOf: (callback, secrets) => redeemCode(configuration, callback, secrets, identityOf),
    grantOf: (callback, secrets) => redeemCode(configuration, callback, secrets, grantOf),
    tokenService: async () => {
      const metadata = (await configuration().catch(refuse)).serverMetadata();
      const { token_endpoint: tokenEndpoint, revocation_endpoint: revocationEndpoint } = metadata;
      if (tokenEndpoint === undefined) throw refuse(new TypeError('no token endpoint'));
      return { tokenEndpoint, revocationEndpoint, clientId, clientSecret };
    },
  };
}

/** Caches a successful discovery; a failed one is retried on the next call. */
function discoverOnce<T>(discover: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    requireNoTransaction('asking the identity provider');
    known ??= discover().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly secrets: SignInSecrets;
  readonly challenge: string;
  readonly consent: ExtraConsent | undefined;
}

function authorizationUrl(
  provider: oidc.Configuration,
  { redirectUri, secrets: { state, nonce }, challenge, consent }: AuthorizationRequest,
): string {
  return oidc.buildAuthorizationUrl(provider, {
    ...consent?.parameters,
    redirect_uri: redirectUri,
    scope: ['openid', 'email', ...(consent?.scopes ?? [])].join(' '),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    nonce,
  }).href;
}

type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

async function redeemCode<Result>(
  configuration: () => Promise<oidc.Configuration>,
  callback: URL,
  { state, nonce, verifier }: SignInSecrets,
  read: (tokens: Tokens) => Result,
): Promise<Result> {
  try {
    const tokens = await oidc.authorizationCodeGrant(await configuration(), callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    return read(tokens);
  } catch (error) {
    return refuse(error);
  }
}

const grantOf = ({ refresh_token: refreshToken, scope = '' }: Tokens): Grant => ({
  refreshToken,
  scopes: scope.split(' ').filter((word) => word !== ''),
});

function identityOf(tokens: Tokens): ProviderIdentity {
  const claims = tokens.claims();
  if (!claims) throw new Error('no id token');
  const hostedDomain = typeof claims.hd === 'string' ? claims.hd.toLowerCase() : undefined;
  return { subject: claims.sub, email: verifiedEmail(claims, hostedDomain), hostedDomain };
}

/** Google's own mail domains. For other domains, a verified address proves only that its mail could once be read. */
const ownMailDomains = ['gmail.com', 'googlemail.com'];

function verifiedEmail(claims: oidc.IDToken, hostedDomain: string | undefined): string | undefined {
  if (claims.email_verified !== true || typeof claims.email !== 'string') return undefined;
  const email = claims.email.toLowerCase();
  return hostedDomain !== undefined || ownMailDomains.includes(email.split('@')[1] ?? '') ? email : undefined;
}

/** Throws ENGINE_UNAVAILABLE when the provider was unreachable, timed out or failed, otherwise TOKEN_INVALID. */
function refuse(error: unknown): never {
  if (error instanceof TypeError || serverFailed(error) || timedOut(error)) {
    throw unavailable('The identity provider cannot be reached at the moment. Please try again.');
  }
  throw new AppError('TOKEN_INVALID', 'The identity provider did not confirm this sign-in.');
}

const timedOut = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT');

/** The library exposes the response as the error's `status` or as its cause. */
function serverFailed(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const response = 'status' in error ? error : error.cause;
  return typeof response === 'object' && response !== null && 'status' in response && Number(response.status) >= 500;
}
