// Sessions of the workbench: the rules of sign-in and refresh hold, and the refresh token is in a cookie only.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildSuperAdmin,
  buildUser,
  openSessionOf,
  password,
  passwordHash,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { googleFlow, verified } from '../../../security/sign-in/google-flow.ts';
import { googleSettings, startProvider } from '../../../security/sign-in/provider.ts';
import { noGeneralLimits } from '../../../security/support.ts';
import { codeAt } from '../second-factor/totp-codes.ts';
import { type Browser, browserOf, ownPage, sessionPath } from './browser.ts';

const provider = await startProvider();
const test = suite('workbench session');
const app = useApp(test, { settings: { ...noGeneralLimits, ...googleSettings(provider) } });
test.after(() => provider.close());
const { owner } = app.database;
const flow = googleFlow(app, provider);
const page = ownPage;
const browser = () => browserOf(app, page);

const staff = async (overrides: object = {}): Promise<UserRow> =>
  buildSuperAdmin(owner, { passwordHash: await passwordHash(), ...overrides });
const credentials = ({ email }: UserRow) => ({ email, password });
const meCode = async (token: string) => (await app.get<{ code?: string }>('/api/auth/me', { token })).body.code;
const sessionsOf = ({ id }: UserRow) => owner('auth_session').where({ userId: id }).orderBy('createdAt');

async function opened(user: UserRow): Promise<{ one: Browser; token: string }> {
  const one = browser();
  const reply = await one.open(credentials(user));
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return { one, token: reply.body.accessToken };
}

/** Enrolls a second factor and returns its secret. */
async function enroll(user: UserRow): Promise<string> {
  const token = await signIn(app, user);
  const { body } = await app.post<{ secret: string }>('/api/auth/totp/enroll', { password }, { token });
  await app.post('/api/auth/totp/confirm', { code: codeAt(body.secret, app.clock.now()) }, { token });
  app.clock.advance(90_000);
  return body.secret;
}

test('opening gives an access token, who is signed in, and the refresh token in the cookie alone', async () => {
  const user = await staff();
  const reply = await browser().open(credentials(user));
  assert.is(reply.status, 200);
  assert.equal(Object.keys(reply.body).sort(), ['accessToken', 'expiresIn', 'user']);
  assert.is(reply.body.expiresIn, 900);
  const me = await app.get('/api/auth/me', { token: reply.body.accessToken });
  assert.equal(reply.body.user, me.body);
  assert.ok(reply.body.user.permissions.includes('RUN_BACKOFFICE'));
  const [line = '', ...others] = reply.headers.getSetCookie();
  assert.is(others.length, 0);
  const [pair = '', ...attributes] = line.split('; ');
  assert.equal(attributes.sort(), ['HttpOnly', 'Max-Age=2592000', 'Path=/api/workbench/session', 'SameSite=Strict']);
  assert.match(pair, /^workbench=[\w-]{43,}$/);
  assert.not.ok(JSON.stringify(reply.body).includes(pair.split('=')[1] ?? ''));
});

test('refreshing renews token and cookie of the same session', async () => {
  const user = await staff();
  const { one } = await opened(user);
  const before = one.cookie();
  const reply = await one.refresh();
  assert.is(reply.status, 200);
  assert.equal(Object.keys(reply.body).sort(), ['accessToken', 'expiresIn']);
  assert.is.not(one.cookie(), before);
  assert.is(await meCode(reply.body.accessToken), undefined);
  assert.is((await sessionsOf(user)).length, 1);
});

test('closing ends the session and removes the cookie; the old cookie is SESSION_REVOKED from then on', async () => {
  const user = await staff();
  const { one, token } = await opened(user);
  const replayed = one.copy();
  assert.is((await one.close()).status, 204);
  assert.is(one.cookie(), undefined);
  assert.is(await meCode(token), 'SESSION_REVOKED');
  const reply = await replayed.refresh();
  assert.equal([reply.status, reply.body.code], [401, 'SESSION_REVOKED']);
  assert.is((await sessionsOf(user))[0].revokedReason, 'logout');
  assert.is((await one.close()).status, 204, 'closing without a cookie changes nothing');
});

test('a spent cookie ends the session: theft is found by rotation, and recorded', async () => {
  const user = await staff();
  const { one, token } = await opened(user);
  const thief = one.copy();
  await one.refresh();
  const reply = await thief.refresh();
  assert.equal([reply.status, reply.body.code], [401, 'SESSION_REVOKED']);
  assert.is((await one.refresh()).body.code, 'SESSION_REVOKED');
  assert.is(await meCode(token), 'SESSION_REVOKED');
  await app.services.securityEvents.settled();
  const events = await owner('security_event').where({ userId: user.id }).select('kind');
  assert.equal(events, [{ kind: 'refresh_reuse' }]);
});

test('of two refreshes at once one succeeds, and the session is revoked', async () => {
  const user = await staff();
  const { one } = await opened(user);
  const replies = await Promise.all([one.copy().refresh(), one.copy().refresh()]);
  assert.equal(replies.map(({ status }) => status).sort(), [200, 401]);
  const winner = replies.find(({ status }) => status === 200);
  assert.is(await meCode(winner?.body.accessToken ?? ''), 'SESSION_REVOKED');
});

test('logout everywhere ends it too', async () => {
  const user = await staff();
  const { one } = await opened(user);
  const token = await signIn(app, user);
  await app.post('/api/auth/logout', { allSessions: true }, { token });
  assert.is((await one.refresh()).body.code, 'SESSION_REVOKED');
});

test('fixation: a cookie that was there before opening is not used, and its session ends', async () => {
  const user = await staff();
  const { one } = await opened(await staff());
  const planted = one.copy();
  const before = planted.cookie();
  assert.is((await planted.open(credentials(user))).status, 200);
  assert.is.not(planted.cookie(), before);
  assert.is((await one.refresh()).body.code, 'SESSION_REVOKED');
  assert.is((await planted.refresh()).status, 200);
});

test('two different cookies of the name are no cookie', async () => {
  const [mine, theirs] = [(await opened(await staff())).one, (await opened(await staff())).one];
  const both = browserOf(app, page, `${theirs.cookie()}; ${mine.cookie()}`);
  const reply = await both.refresh();
  assert.equal([reply.status, reply.body.code], [401, 'TOKEN_INVALID']);
  assert.is((await browserOf(app, page, `${mine.cookie()}; ${mine.cookie()}`).refresh()).status, 200);
});

test('without a cookie, and with an unknown one: TOKEN_INVALID; after 30 days too', async () => {
  for (const held of [undefined, `workbench=${'x'.repeat(43)}`, 'workbench=']) {
    const reply = await browserOf(app, page, held).refresh();
    assert.equal([reply.status, reply.body.code], [401, 'TOKEN_INVALID'], String(held));
  }
  const { one } = await opened(await staff());
  app.clock.advance(30 * 86_400_000);
  assert.is((await one.refresh()).body.code, 'TOKEN_INVALID');
});

test('no page of the service: 403 before anything is looked at, and nothing changes', async () => {
  const user = await staff();
  const { one, token } = await opened(user);
  const foreign: Record<string, string>[] = [
    {},
    { 'x-workbench': '1' },
    { origin: page.origin },
    { ...page, origin: 'https://attacker.example' },
    { ...page, origin: `${page.origin}.attacker.example` },
    { ...page, origin: page.origin.replace(/^http:/, 'https:') },
    { ...page, origin: `${page.origin}/` },
    { ...page, origin: `${page.origin}:8443` },
    { ...page, origin: 'null' },
    { ...page, origin: `${page.origin}, https://attacker.example` },
    { ...page, 'x-workbench': 'true' },
  ];
  for (const headers of foreign) {
    const visitor = browserOf(app, headers, one.cookie());
    for (const reply of [await visitor.open(credentials(user)), await visitor.refresh(), await visitor.close()]) {
      assert.equal([reply.status, reply.body?.code], [403, 'PERMISSION_DENIED'], JSON.stringify(headers));
      assert.is(reply.body?.details?.[0]?.issue, 'not_allowed');
      assert.equal(reply.headers.getSetCookie(), []);
    }
  }
  assert.is((await sessionsOf(user)).length, 1);
  assert.is(await meCode(token), undefined);
  assert.is((await one.refresh()).status, 200, 'the cookie was not spent');
});

test('a role without backoffice: 403, no cookie and no session, only after the right password', async () => {
  for (const persona of ['ADMIN', 'TEACHER', 'STUDENT'] as const) {
    const user = await buildUser(owner, persona, {
      passwordHash: await passwordHash(),
      ...(persona === 'STUDENT' && { email: `student-${app.clock.now().getTime()}@example.org` }),
    });
    const one = browser();
    const reply = await one.open(credentials(user));
    assert.equal([reply.status, reply.body.code], [403, 'PERMISSION_DENIED'], persona);
    assert.is(one.cookie(), undefined);
    assert.equal(await sessionsOf(user), []);
    const wrong = await one.open({ email: user.email, password: 'not the password' });
    assert.equal([wrong.status, wrong.body.code], [401, 'INVALID_CREDENTIALS']);
  }
});

test('a session of a role without backoffice is not refreshed by cookie, and stays what it was', async () => {
  const user = await buildUser(owner, 'ADMIN');
  const { refreshToken } = await openSessionOf(app, user);
  const one = browserOf(app, page, `workbench=${refreshToken}`);
  const reply = await one.refresh();
  assert.equal([reply.status, reply.body.code], [403, 'PERMISSION_DENIED']);
  assert.is(one.cookie(), `workbench=${refreshToken}`);
  assert.is((await app.post('/api/auth/refresh', { refreshToken })).status, 200);
});

test('a deactivated account loses its cookie session at once', async () => {
  const user = await staff();
  const { one } = await opened(user);
  const token = await signIn(app, await staff());
  assert.is((await app.post(`/api/users/${user.id}/deactivate`, {}, { token })).status, 200);
  assert.is((await one.refresh()).body.code, 'SESSION_REVOKED');
  assert.is((await browser().open(credentials(user))).body.code, 'INVALID_CREDENTIALS');
});

test('the cookie decides, not an Authorization header of somebody else', async () => {
  const [user, other] = [await staff(), await staff()];
  const { one, token } = await opened(user);
  const otherToken = await signIn(app, other);
  const mixed = browserOf(app, { ...page, authorization: `Bearer ${otherToken}` }, one.cookie());
  const refreshed = await mixed.refresh();
  const me = await app.get<{ id: number }>('/api/auth/me', { token: refreshed.body.accessToken });
  assert.is(me.body.id, user.id);
  assert.is((await mixed.close()).status, 204);
  assert.is(await meCode(token), 'SESSION_REVOKED');
  assert.is(await meCode(otherToken), undefined);
});

test('the cookie signs nobody in at other addresses', async () => {
  const { one } = await opened(await staff());
  const cookie = one.cookie() ?? '';
  for (const path of ['/api/auth/me', '/api/admin/queues', '/api/admin/names']) {
    const { status, body } = await app.get<{ code: string }>(path, { headers: { ...page, cookie } });
    assert.equal([status, body.code], [401, 'TOKEN_MISSING'], path);
  }
});

test('five wrong passwords lock the account here as at the login', async () => {
  const user = await staff();
  for (let tries = 0; tries < 5; tries += 1) {
    const { body } = await browser().open({ ...credentials(user), password: 'not the password' });
    assert.is(body.code, 'INVALID_CREDENTIALS');
  }
  const locked = await browser().open(credentials(user));
  assert.equal([locked.status, locked.body.code], [401, 'BRUTE_FORCE_LOCKED']);
  assert.ok(Number(locked.headers.get('retry-after')) > 0);
  const login = await app.post<{ code: string }>('/api/auth/login', credentials(user));
  assert.is(login.body.code, 'BRUTE_FORCE_LOCKED', 'both count in one window');
});

test('a second factor in use is asked for, and spent', async () => {
  const user = await staff();
  const secret = await enroll(user);
  const asked = await browser().open(credentials(user));
  assert.equal([asked.status, asked.body.code], [401, 'SECOND_FACTOR_REQUIRED']);
  assert.equal(asked.headers.getSetCookie(), []);
  const totp = codeAt(secret, app.clock.now());
  assert.is((await browser().open({ ...credentials(user), totp })).status, 200);
  assert.is((await sessionsOf(user)).at(-1).secondFactor, true);
  assert.is((await browser().open({ ...credentials(user), totp })).body.code, 'SECOND_FACTOR_REQUIRED');
});

test('the code of a Google sign-in opens it once, with a second factor where one is in use', async () => {
  const user = await staff();
  const secret = await enroll(user);
  provider.people.set('backoffice', verified(user.email));
  const code = (await flow.outcome('backoffice')).get('code');
  const asked = await browser().open({ code });
  assert.equal([asked.status, asked.body.code], [401, 'SECOND_FACTOR_REQUIRED']);
  const one = browser();
  const reply = await one.open({ code, totp: codeAt(secret, app.clock.now()) });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  assert.is(reply.body.user.id, user.id);
  assert.equal((({ secondFactor, openedBy }) => [secondFactor, openedBy])((await sessionsOf(user)).at(-1)), [
    true,
    'google',
  ]);
  assert.is((await one.refresh()).status, 200);
  assert.is((await browser().open({ code })).body.code, 'STATE_EXPIRED');
});

test('the code of a teacher’s Google sign-in: 403 and no session', async () => {
  const user = await buildUser(owner, 'TEACHER');
  await owner('organization')
    .where({ id: user.organizationId })
    .update({ allowedGoogleDomains: ['example.org'] });
  provider.people.set('teacher', verified(user.email));
  const code = (await flow.outcome('teacher')).get('code');
  const one = browser();
  const reply = await one.open({ code });
  assert.equal([reply.status, reply.body.code], [403, 'PERMISSION_DENIED']);
  assert.is(one.cookie(), undefined);
  assert.equal(await sessionsOf(user), []);
});

for (const body of [
  {},
  { email: 'a@b.co' },
  { code: '' },
  { email: 'a@b.co', password: 'x', code: 'y' },
  { code: 'x'.repeat(513) },
]) {
  test(`${JSON.stringify(body).slice(0, 60)} is 422`, async () => {
    const reply = await browser().open(body);
    assert.equal([reply.status, reply.body.code], [422, 'VALIDATION_ERROR']);
  });
}

test('a refresh with a body that is no empty object is 422, and spends nothing', async () => {
  const { one } = await opened(await staff());
  const reply = await app.post(
    `${sessionPath}/refresh`,
    { refreshToken: 'x' },
    {
      headers: { ...page, cookie: one.cookie() ?? '' },
    },
  );
  assert.is(reply.status, 422);
  assert.is((await one.refresh()).status, 200);
});

test.run();
