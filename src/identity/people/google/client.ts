// The conversation with the OpenID provider: where to send the browser, and who came back.
import * as oidc from 'openid-client';
import type { Config } from '#core/platform/config/config.ts';
import { AppError, unavailable } from '#core/platform/errors.ts';
import { requireNoTransaction } from '#core/platform/transactions/outside.ts';

/** Kept between the two halves of a sign-in. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE */
  readonly verifier: string;
}

export interface ProviderIdentity {
  readonly subject: string;
  /** Lower case; undefined unless the provider has verified it and speaks for its domain. */
  readonly email: string | undefined;
  /** Domain of the organization's account at the provider. */
  readonly hostedDomain: string | undefined;
}

/** What more than a sign-in is asked for. */
export interface Asking {
  /** Beside `openid email`. */
  readonly scopes: readonly string[];
  /** Of the authorization request, beside those of the protocol. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** What somebody has agreed to. */
export interface Grant {
  /** undefined where the provider gives none. */
  readonly refreshToken: string | undefined;
  readonly scopes: readonly string[];
}

/** Where tokens are renewed and given back, and as whom. */
export interface TokenService {
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface GoogleClient {
  /** Throws ENGINE_UNAVAILABLE while the provider cannot be reached. */
  authorizationUrl(redirectUri: string, secrets: SignInSecrets, asking?: Asking): Promise<string>;
  /** As `identityOf`, for what was asked for beside the sign-in. */
  grantOf(callback: URL, secrets: SignInSecrets): Promise<Grant>;
  /** Throws ENGINE_UNAVAILABLE while the provider cannot be reached. */
  tokenService(): Promise<TokenService>;
  /** `callback`: the address that the browser came back to. TOKEN_INVALID when what it brings does not hold. */
  identityOf(callback: URL, secrets: SignInSecrets): Promise<ProviderIdentity>;
}

const usualTimeoutMs = 5_000;

export const newSignInSecrets = (): SignInSecrets => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
});

/** undefined when no client is configured. Nothing is asked of the provider before the first sign-in. */
export function googleClient({ google, production }: Config, timeoutMs = usualTimeoutMs): GoogleClient | undefined {
  const { clientId, clientSecret } = google;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const issuer = new URL(google.issuer);
  const plainHttp = issuer.protocol === 'http:' && !production;
  const configuration = remembered(() =>
    oidc.discovery(issuer, clientId, clientSecret, undefined, {
      timeout: timeoutMs / 1_000,
      execute: [oidc.enableNonRepudiationChecks, ...(plainHttp ? [oidc.allowInsecureRequests] : [])],
    }),
  );
  return {
    authorizationUrl: async (redirectUri, secrets, asking) => {
      const provider = await configuration().catch(refuse);
      const challenge = await oidc.calculatePKCECodeChallenge(secrets.verifier);
      return authorizationUrl(provider, { redirectUri, secrets, challenge, asking });
    },
    identityOf: (callback, secrets) => confirmed(configuration, callback, secrets, identityOf),
    grantOf: (callback, secrets) => confirmed(configuration, callback, secrets, grantOf),
    tokenService: async () => {
      const metadata = (await configuration().catch(refuse)).serverMetadata();
      const { token_endpoint: tokenEndpoint, revocation_endpoint: revocationEndpoint } = metadata;
      if (tokenEndpoint === undefined) throw refuse(new TypeError('no token endpoint'));
      return { tokenEndpoint, revocationEndpoint, clientId, clientSecret };
    },
  };
}

/** A failed discovery is tried again next time. */
function remembered<T>(discover: () => Promise<T>): () => Promise<T> {
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
  readonly asking: Asking | undefined;
}

function authorizationUrl(
  provider: oidc.Configuration,
  { redirectUri, secrets: { state, nonce }, challenge, asking }: AuthorizationRequest,
): string {
  return oidc.buildAuthorizationUrl(provider, {
    ...asking?.parameters,
    redirect_uri: redirectUri,
    scope: ['openid', 'email', ...(asking?.scopes ?? [])].join(' '),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    nonce,
  }).href;
}

type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

async function confirmed<Told>(
  configuration: () => Promise<oidc.Configuration>,
  callback: URL,
  { state, nonce, verifier }: SignInSecrets,
  told: (tokens: Tokens) => Told,
): Promise<Told> {
  try {
    const tokens = await oidc.authorizationCodeGrant(await configuration(), callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    return told(tokens);
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
  return { subject: claims.sub, email: certainEmail(claims, hostedDomain), hostedDomain };
}

/** Google's own mail domains. Of any other address it knows only that somebody could read its mail one day. */
const ownMailDomains = ['gmail.com', 'googlemail.com'];

function certainEmail(claims: oidc.IDToken, hostedDomain: string | undefined): string | undefined {
  if (claims.email_verified !== true || typeof claims.email !== 'string') return undefined;
  const email = claims.email.toLowerCase();
  return hostedDomain !== undefined || ownMailDomains.includes(email.split('@')[1] ?? '') ? email : undefined;
}

/** Unreachable, silent or failing by its own account: ENGINE_UNAVAILABLE. Anything else is a sign-in that does not hold. */
function refuse(error: unknown): never {
  if (error instanceof TypeError || serverFailed(error) || timedOut(error)) {
    throw unavailable('The identity provider cannot be reached at the moment. Please try again.');
  }
  throw new AppError('TOKEN_INVALID', 'The identity provider did not confirm this sign-in.');
}

const timedOut = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT');

/** The library keeps the response in `status`, or as the cause of its error. */
function serverFailed(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const response = 'status' in error ? error : error.cause;
  return typeof response === 'object' && response !== null && 'status' in response && Number(response.status) >= 500;
}
