// timeout: 180s
// Removes one by one the guards that protect an account from a guesser, a thief or a newly created accomplice.
import { decodeJwt } from 'jose';
import { test } from 'uvu';
import type { Actor, Claims } from '#core/http/route.ts';
import { newId } from '#core/platform/ids.ts';
import { accessTokens } from '#identity/people/auth-sessions/access-tokens.ts';
import { authenticate } from '#identity/people/auth-sessions/auth-sessions.ts';
import { buildUser, openSessionOf, password, passwordHash, signIn } from '../../harness/factories.ts';
import type { HttpClient } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { codeAt } from '../../identity/people/second-factor/totp-codes.ts';
import { codeOf, from, noGeneralLimits } from '../support.ts';
import { accepted, type Fault, plant, tampered, withServices } from './harness.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;
const { services, clock } = app;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

const minuteMs = 60_000;
const newTeacher = () => buildUser(owner, 'TEACHER', { organizationId: world.own.organizationId });
/** Failures of this kind are not counted. */
const forgets = (kind: string) =>
  tampered(
    'attempt_window',
    'update',
    `if new.kind = '${kind}' then new.failed_at := '{}'; new.locked_until := null; end if; return new;`,
  );

const claimsOf = (token: string): Claims => {
  const { sub, sid, org } = decodeJwt(token);
  return { userId: Number(sub), sessionId: String(sid), organizationId: org === null ? null : String(org) };
};

/** Returns the error code of the last of `count` wrong logins from one address. */
async function afterWrongLogins(client: HttpClient, count: number, email: () => string): Promise<string | undefined> {
  const headers = from(`192.0.2.${newId()}`);
  let code: string | undefined;
  for (let time = 0; time < count; time++) {
    code = codeOf(await client.post('/api/auth/login', { email: email(), password: 'wrong' }, { headers }));
  }
  return code;
}

const someEmail = () => `${newId()}@example.org`;

const meStatus = async (client: HttpClient, token: string) => (await client.get('/api/auth/me', { token })).status;

function rememberingActors() {
  const known = new Map<string, Actor>();
  return async (...[trx, claims, now]: Parameters<typeof authenticate>): Promise<Actor> => {
    const actor = known.get(claims.sessionId) ?? (await authenticate(trx, claims, now));
    known.set(claims.sessionId, actor);
    return actor;
  };
}

function oneTokenASecond() {
  const issued = new Map<string, string>();
  return {
    ...services.tokens,
    issue: async (claims: Claims, now: Date) => {
      const name = JSON.stringify([claims, now]);
      const token = issued.get(name) ?? (await services.tokens.issue(claims, now));
      issued.set(name, token);
      return token;
    },
  };
}

async function enrolledAdmin(client: HttpClient) {
  const user = await buildUser(owner, 'ADMIN', { passwordHash: await passwordHash() });
  const token = await signIn(app, user);
  const { body } = await client.post<{ secret: string }>('/api/auth/totp/enroll', { password }, { token });
  return { user, token, secret: body.secret };
}

const faults: readonly Fault[] = [
  {
    name: 'the check of the session on every request',
    holds: async (client) => {
      const token = await signIn(app, await newTeacher());
      const before = await meStatus(client, token);
      await client.post('/api/auth/logout', undefined, { token });
      return before === 200 && (await meStatus(client, token)) === 401;
    },
    without: { wiring: (parts) => ({ ...parts, authenticate: rememberingActors() }) },
  },
  {
    name: 'the signature of an access token',
    holds: async (client) => {
      const forger = accessTokens([Buffer.alloc(32, 9)]);
      return (await meStatus(client, await forger.issue(claimsOf(world.superAdmin.token), clock.now()))) === 401;
    },
    without: {
      wiring: (parts) => ({
        ...parts,
        verifyToken: async (authorization = '') => claimsOf(authorization.replace('Bearer ', '')),
      }),
    },
  },
  {
    name: 'the end of an access token',
    holds: async (client) => {
      const longAgo = new Date(clock.now().getTime() - 16 * minuteMs);
      return (await meStatus(client, await services.tokens.issue(claimsOf(world.superAdmin.token), longAgo))) === 401;
    },
    without: {
      wiring: (parts) => ({
        ...parts,
        verifyToken: (authorization, now) => parts.verifyToken(authorization, new Date(now.getTime() - 16 * minuteMs)),
      }),
    },
  },
  {
    name: 'two access tokens of one second differ',
    holds: async (client) => {
      const { refreshToken } = await openSessionOf(app, await newTeacher());
      const first = await client.post<{ accessToken: string; refreshToken: string }>('/api/auth/refresh', {
        refreshToken,
      });
      const repeated = { refreshToken: first.body.refreshToken };
      const second = await client.post<{ accessToken: string }>('/api/auth/refresh', repeated);
      return second.status === 200 && first.body.accessToken !== second.body.accessToken;
    },
    without: { wiring: withServices({ tokens: oneTokenASecond() }) },
  },
  {
    name: 'the index of one unspent refresh token a session',
    holds: async () => {
      const { accessToken } = await openSessionOf(app, await newTeacher());
      const { sessionId, organizationId } = claimsOf(accessToken);
      const now = clock.now();
      const token = { tokenHash: newId(), organizationId, sessionId, issuedAt: now, expiresAt: now };
      return !(await accepted(app, { context: 'SUPER' }, (trx) => trx('refresh_token').insert(token)));
    },
    without: {
      database: [
        'drop index refresh_token_one_unspent',
        'create unique index refresh_token_one_unspent on refresh_token (session_id) where used_at is null',
      ],
    },
  },
  {
    name: 'the columns of a refresh token that never change',
    holds: async () =>
      !(await accepted(app, { context: 'SUPER' }, (trx) => trx('refresh_token').update({ expiresAt: clock.now() }))),
    without: {
      database: [
        'grant update (expires_at) on refresh_token to literacy_platform',
        'revoke update (expires_at) on refresh_token from literacy_platform',
      ],
    },
  },
  {
    name: 'the lock of an e-mail address after five wrong passwords',
    holds: async (client) => {
      const email = someEmail();
      return (await afterWrongLogins(client, 6, () => email)) === 'BRUTE_FORCE_LOCKED';
    },
    without: { database: forgets('login_email') },
  },
  {
    name: 'the lock of a client address after fifty wrong passwords',
    holds: async (client) => (await afterWrongLogins(client, 51, someEmail)) === 'BRUTE_FORCE_LOCKED',
    without: { database: forgets('login_address') },
  },
  {
    name: 'the lock of a device after ten wrong quick codes',
    holds: async (client) => {
      const headers = from(`192.0.2.${newId()}`);
      const guess = () => client.post('/api/auth/quickcode', { quickCode: 'ABCD2345' }, { headers });
      for (let time = 0; time < 10; time++) await guess();
      return codeOf(await guess()) === 'QUICKCODE_RATE_LIMIT';
    },
    without: { database: forgets('quick_code_device') },
  },
  {
    name: 'the hash under which failures are counted',
    holds: async (client) => {
      const email = someEmail();
      await client.post('/api/auth/login', { email, password: 'wrong' });
      return (await owner('attempt_window').where({ subjectHash: email })).length === 0;
    },
    without: { wiring: withServices({ cipher: { ...services.cipher, keyedHash: (_purpose, text) => text } }) },
  },
  {
    name: 'the encryption of the second factor’s secret',
    holds: async (client) => {
      const { user, secret } = await enrolledAdmin(client);
      return (await owner('totp').where({ userId: user.id }).first('encryptedSecret')).encryptedSecret !== secret;
    },
    without: { wiring: withServices({ cipher: { ...services.cipher, encrypt: (text) => text } }) },
  },
  {
    name: 'a code of the second factor is spent once',
    holds: async (client) => {
      const { user, token, secret } = await enrolledAdmin(client);
      const code = codeAt(secret, clock.now());
      await client.post('/api/auth/totp/confirm', { code }, { token });
      const input = { email: user.email, password, totp: code };
      return (await client.post('/api/auth/login', input)).status === 401;
    },
    without: {
      database: [
        'alter table totp_spent_code drop constraint totp_spent_code_pkey',
        'delete from totp_spent_code; alter table totp_spent_code add primary key (user_id, step)',
      ],
    },
  },
  {
    name: 'the second factor that changing rules needs in production',
    holds: async (client) => {
      const { token } = world.superAdmin;
      const changes = '/api/admin/rule-changes';
      return (await client.post(changes, { title: 'A change' }, { token })).status === 403;
    },
    given: {
      wiring: (parts) => ({ ...parts, authenticate: (trx, claims, now) => authenticate(trx, claims, now, true) }),
    },
    without: { wiring: (parts) => ({ ...parts, authenticate }) },
  },
  {
    name: 'the count of EMAIL_EXISTS responses to an administrator',
    holds: async (client) => {
      const { organizationId } = world.own;
      const token = await signIn(app, await buildUser(owner, 'ADMIN', { organizationId }));
      const { email } = world.other.people.MANAGER;
      const input = { primaryPersona: 'MANAGER', fullNameAr: 'مدير', email, password, organizationId };
      for (let time = 0; time < 20; time++) await client.post('/api/users', input, { token });
      return codeOf(await client.post('/api/users', input, { token })) === 'RATE_LIMITED';
    },
    without: { database: tampered('email_conflict', 'insert', 'return null;') },
  },
];

plant(test, app, faults);

test.run();
