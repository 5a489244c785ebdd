// A certified OpenID provider on loopback in place of Google, and a headless browser that follows its redirects.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

export interface Identity {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly hd?: string;
}

export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The users that the provider knows, by subject. The test chooses who signs in next. */
  readonly people: Map<string, Identity>;
  nextSubject: string;
  /** Number of requests received. */
  requests: number;
  /** Status of every response, to simulate a failing provider. */
  failWith: number | undefined;
  /** Publishes another key than the one that signs. */
  publishForeignKey: boolean;
  /** Registers redirect URIs. */
  allow(redirectUri: string): Promise<void>;
  close(): Promise<void>;
}

const clientId = 'literacy';
const keyName = 'k1';
const clientSecret = 'only-for-tests-only-for-tests-32';

export async function startProvider(): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: keyName, alg: 'RS256', use: 'sig' };
  const provider: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    people: new Map(),
    nextSubject: '',
    requests: 0,
    failWith: undefined,
    publishForeignKey: false,
    allow: async (redirectUri) => {
      const oidc = configured(issuer, jwk, redirectUri, provider);
      const answer = oidc.callback();
      server.removeAllListeners('request');
      server.on('request', (request, response) => void route(oidc, provider, answer, request, response));
    },
    close: () => close(server),
  };
  return provider;
}

function configured(issuer: string, jwk: object, redirectUri: string, { people }: TestProvider): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        application_type: 'native',
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['k'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'hd'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, subject) => ({ accountId: subject, claims: () => ({ sub: subject, ...people.get(subject) }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  });
}

async function route(
  oidc: Provider,
  provider: TestProvider,
  answer: ReturnType<Provider['callback']>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  provider.requests++;
  if (provider.failWith !== undefined) {
    response.writeHead(provider.failWith).end();
    return;
  }
  if (provider.publishForeignKey && request.url === '/jwks') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await foreignKeys()));
    return;
  }
  if (request.url?.startsWith('/interaction/')) await interact(oidc, provider.nextSubject, request, response);
  else await answer(request, response);
}

/** Under the same key id, so that only the signature itself differs. */
async function foreignKeys() {
  const { publicKey } = await generateKeyPair('RS256');
  return { keys: [{ ...(await exportJWK(publicKey)), kid: keyName, alg: 'RS256', use: 'sig' }] };
}

/** Signs in a user, who consents at once. */
async function interact(oidc: Provider, accountId: string, request: IncomingMessage, response: ServerResponse) {
  const { prompt, params, session } = await oidc.interactionDetails(request, response);
  if (prompt.name === 'login') {
    return oidc.interactionFinished(request, response, { login: { accountId } }, { mergeWithLastSubmission: false });
  }
  const grant = new oidc.Grant({ accountId: session?.accountId ?? accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const consent = { grantId: await grant.save() };
  return oidc.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Follows the provider's redirects. Returns the URL outside of it to which they lead. */
export async function throughProvider(startUrl: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(startUrl);
  for (let hop = 0; hop < 10 && url.origin === issuer; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split('=', 2) ?? [];
      cookies.set(name, value);
    }
    url = new URL(response.headers.get('location') ?? '', url);
  }
  return url;
}

/** Settings of a service that uses this provider. */
export const googleSettings = ({ issuer, clientId, clientSecret }: TestProvider) => ({
  GOOGLE_ISSUER: issuer,
  GOOGLE_CLIENT_ID: clientId,
  GOOGLE_CLIENT_SECRET: clientSecret,
  FRONTEND_URL: 'https://app.example.org',
});
