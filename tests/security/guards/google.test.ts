// timeout: 180s
// Removes one by one the guards that bind a sign-in with Google to its browser, frontend and provider.
import { createHash, randomBytes } from 'node:crypto';
import * as oidc from 'openid-client';
import { test } from 'uvu';
import type { Answer } from '#core/http/answers.ts';
import { googleClient } from '#identity/people/google/client.ts';
import { finishGoogleSignIn } from '#identity/people/google/sign-in.ts';
import { clientTimeouts } from '../../../scripts/test/timeouts.ts';
import { buildUser } from '../../harness/factories.ts';
import type { HttpClient } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { googleFlow, verified } from '../sign-in/google-flow.ts';
import { googleSettings, startProvider } from '../sign-in/provider.ts';
import { noGeneralLimits } from '../support.ts';
import { type Fault, only, plant, tampered, withServices } from './harness.ts';

const provider = await startProvider();
const app = useApp(test, {
  settings: {
    ...noGeneralLimits,
    ...googleSettings(provider),
    PORT: '3456',
  },
});
const { owner } = app.database;

test.after(() => provider.close());

/** Signs in a teacher whom the provider knows under a subject of their own. */
async function flowOf(client: HttpClient, identity: object = {}) {
  const { email } = await buildUser(owner, 'TEACHER');
  const subject = randomBytes(8).toString('hex');
  provider.people.set(subject, verified(email, identity));
  return { flow: googleFlow({ ...app, ...client }, provider), subject };
}

const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** Finishes the sign-in in any browser. */
async function finishAnywhere({ query, now }: { query: Record<string, string>; now: Date }): Promise<Answer> {
  const known: string[] = await owner('google_state').pluck('cookie_hash');
  const redirectUrl = await finishGoogleSignIn(app.services, query, known, now);
  return { status: 302, body: { redirectUrl }, headers: { location: redirectUrl } };
}

/** Trusts every id token that came over TLS. */
const credulous = () => {
  const { google } = app.services;
  if (!google) throw new Error('a client is configured');
  const discover = () =>
    oidc.discovery(new URL(provider.issuer), provider.clientId, provider.clientSecret, undefined, {
      execute: [oidc.allowInsecureRequests],
    });
  return {
    ...google,
    identityOf: async (callback: URL, { state, nonce, verifier }: Parameters<typeof google.identityOf>[1]) => {
      const expected = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
      const claims = (await oidc.authorizationCodeGrant(await discover(), callback, expected)).claims();
      return { subject: String(claims?.sub), email: String(claims?.email), hostedDomain: String(claims?.hd) };
    },
  };
};

const faults: readonly Fault[] = [
  {
    name: 'the cookie that binds a sign-in to its browser',
    holds: async (client) => {
      const { flow, subject } = await flowOf(client);
      return (await flow.finish({ ...(await flow.comeBackAs(subject)), cookie: '' })).status === 401;
    },
    without: { routes: only('finishGoogleSignIn', (route) => ({ ...route, run: finishAnywhere as typeof route.run })) },
  },
  {
    name: 'the verifier that binds a handoff to its frontend',
    holds: async (client) => {
      const { flow, subject } = await flowOf(client);
      const challenge = s256(randomBytes(32).toString('base64url'));
      const code = (await flow.outcome(subject, `?handoffChallenge=${challenge}`)).get('code');
      return (await flow.exchange(code)).status === 401;
    },
    without: { database: tampered('handoff_code', 'insert', 'new.handoff_challenge := null; return new;') },
  },
  {
    name: 'the signature of the provider’s ID token',
    holds: async (client) => {
      const { flow, subject } = await flowOf(client);
      return (await flow.outcome(subject)).get('error') === 'TOKEN_INVALID';
    },
    given: {
      // A client that has loaded no keys yet.
      wiring: (parts) => withServices({ google: googleClient(app.services.config, clientTimeouts.providerMs) })(parts),
      swap: [
        () => {
          provider.publishForeignKey = true;
        },
        () => {
          provider.publishForeignKey = false;
        },
      ],
    },
    without: { wiring: (parts) => withServices({ google: credulous() })(parts) },
  },
  {
    name: 'the subject that a first sign-in binds to its account',
    holds: async (client) => {
      const { flow, subject } = await flowOf(client);
      await flow.outcome(subject);
      const another = randomBytes(8).toString('hex');
      provider.people.set(another, provider.people.get(subject) ?? {});
      return (await flow.outcome(another)).get('error') === 'PERMISSION_DENIED';
    },
    without: { database: tampered('external_identity', 'insert', 'return null;') },
  },
];

plant(test, app, faults);

test.run();
