// A certified OpenID provider on loopback in place of Google, with the Classroom API behind its tokens.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

export interface ApiReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface TestGoogle {
  /** Issuer, and base URL of the API. */
  readonly origin: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Response of the API for the path after `/v1/`. Null stands for 404. */
  api: (path: string, query: URLSearchParams) => ApiReply | null;
  /** Scopes that the user consents to. Undefined: all requested ones. */
  grantsScopes: readonly string[] | undefined;
  declines: boolean;
  givesRefreshToken: boolean;
  /** Response of the token endpoint instead of a token. */
  tokenError: { readonly status: number; readonly error: string } | undefined;
  /** Parameters of the last authorization request. */
  asked: URLSearchParams;
  /** Paths of the API that were requested, each with its query. */
  readonly apiRequests: string[];
  readonly revoked: string[];
  /** Invalidates all tokens issued so far. */
  forgetTokens(): void;
  /** Registers a redirect URI. */
  allow(redirectUri: string): void;
  close(): Promise<void>;
}

const clientId = 'literacy';
const clientSecret = 'only-for-tests-only-for-tests-32';
const prefix = 'https://www.googleapis.com/auth/classroom.';
export const classroomScopesOfGoogle = [
  ...['courses.readonly', 'rosters.readonly', 'profile.emails', 'guardianlinks.students.readonly'],
].map((scope) => prefix + scope);

export async function startGoogle(): Promise<TestGoogle> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  const forgotten = { before: 0 };
  const google: TestGoogle = {
    origin,
    settings: {
      ...{ GOOGLE_ISSUER: origin, GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret },
      GOOGLE_CLASSROOM_URL: origin,
    },
    api: () => null,
    grantsScopes: undefined,
    declines: false,
    givesRefreshToken: true,
    tokenError: undefined,
    asked: new URLSearchParams(),
    apiRequests: [],
    revoked: [],
    forgetTokens: () => {
      forgotten.before = given.count;
    },
    allow: (redirectUri) => {
      const oidc = configured(origin, jwk, redirectUri, google);
      oidc.on('access_token.saved', (token) => given.numbers.set(token.jti, given.count++));
      const answer = oidc.callback();
      server.removeAllListeners('request');
      server.on('request', (request, response) => void route({ google, oidc, answer, isKnown }, request, response));
    },
    close: () => close(server),
  };
  const given = { count: 0, numbers: new Map<string, number>() };
  const isKnown = (token: string) => (given.numbers.get(token) ?? -1) >= forgotten.before;
  return google;
}

function configured(issuer: string, jwk: object, redirectUri: string, google: TestGoogle): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'native',
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['k'] },
    scopes: ['openid', 'email', ...classroomScopesOfGoogle],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    extraParams: ['access_type'],
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    issueRefreshToken: async () => google.givesRefreshToken,
    rotateRefreshToken: false,
    findAccount: (_, subject) => ({ accountId: subject, claims: () => ({ sub: subject }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  });
}

interface Served {
  readonly google: TestGoogle;
  readonly oidc: Provider;
  readonly answer: ReturnType<Provider['callback']>;
  readonly isKnown: (token: string) => boolean;
}

async function route(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { google, answer } = served;
  const url = new URL(request.url ?? '/', google.origin);
  if (url.pathname.startsWith('/v1/')) return giveApi(served, url, request, response);
  if (url.pathname === '/auth') google.asked = url.searchParams;
  if (url.pathname.startsWith('/interaction/')) return interact(served, request, response);
  if (url.pathname === '/token' && google.tokenError) {
    const { status, error } = google.tokenError;
    return send(response, { status, body: { error } });
  }
  if (url.pathname === '/token/revocation') google.revoked.push(url.pathname);
  await answer(request, response);
}

function giveApi({ google, isKnown }: Served, url: URL, request: IncomingMessage, response: ServerResponse): void {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  if (!isKnown(token)) {
    send(response, { status: 401, body: { error: { code: 401, status: 'UNAUTHENTICATED' } } });
    return;
  }
  google.apiRequests.push(url.pathname + url.search);
  send(response, google.api(url.pathname, url.searchParams) ?? { status: 404, body: { error: { code: 404 } } });
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: ApiReply): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
    .end(JSON.stringify(body));
}

/** Signs in an administrator, who gives or refuses consent. */
async function interact({ google, oidc }: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await oidc.interactionDetails(request, response);
  const fresh = { mergeWithLastSubmission: false };
  if (google.declines) {
    return oidc.interactionFinished(request, response, { error: 'access_denied' }, fresh);
  }
  if (prompt.name === 'login') {
    return oidc.interactionFinished(request, response, { login: { accountId: 'admin' } }, fresh);
  }
  const grant = new oidc.Grant({ accountId: session?.accountId ?? 'admin', clientId });
  const asked = String(params.scope).split(' ');
  const agreed = asked.filter((scope) => !scope.startsWith(prefix) || (google.grantsScopes ?? asked).includes(scope));
  grant.addOIDCScope(agreed.join(' '));
  grant.rejectOIDCScope(asked.filter((scope) => !agreed.includes(scope)).join(' '));
  const consent = { grantId: await grant.save() };
  return oidc.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
