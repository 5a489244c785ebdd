// Changing the own password needs the old one. Wrong guesses are limited as at a login.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser, openSessionOf, password, passwordHash, signIn, type UserRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { codeOf, inParallel, noGeneralLimits, tally } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const newPassword = 'another long password';
let user: UserRow;
let token: string;

test.before.each(async () => {
  user = await buildUser(app.database.owner, 'TEACHER', { passwordHash: await passwordHash() });
  token = await signIn(app, user);
});

const change = (currentPassword: string, input = newPassword) =>
  app.patch('/api/auth/password', { currentPassword, newPassword: input }, { token });
const login = (tried: string) => app.post('/api/auth/login', { email: user.email, password: tried });

test('the new password signs in, the old one does not; other sessions end and this one stays', async () => {
  const other = await openSessionOf(app, user);
  assert.is((await change(password)).status, 204);
  assert.is((await app.get('/api/auth/me', { token })).status, 200);
  assert.is(codeOf(await app.get('/api/auth/me', { token: other.accessToken })), 'SESSION_REVOKED');
  const { refreshToken } = other;
  assert.is(codeOf(await app.post('/api/auth/refresh', { refreshToken })), 'SESSION_REVOKED');
  assert.is((await login(password)).status, 401);
  assert.is((await login(newPassword)).status, 200);
});

test('a wrong current password: INVALID_CREDENTIALS, and nothing changes', async () => {
  assert.is(codeOf(await change('wrong')), 'INVALID_CREDENTIALS');
  assert.is((await login(password)).status, 200);
});

test('guesses count together with logins, also at the same moment, and survive the refusal', async () => {
  const replies = await inParallel(20, () => change('wrong'));
  assert.equal(tally(replies), { '401 INVALID_CREDENTIALS': 5, '401 BRUTE_FORCE_LOCKED': 15 });
  assert.is(codeOf(await change(password)), 'BRUTE_FORCE_LOCKED');
  assert.is(codeOf(await login(password)), 'BRUTE_FORCE_LOCKED');
});

test('a new password is 8 to 128 characters and not the e-mail address', async () => {
  for (const input of ['7 chars', 'x'.repeat(129), user.email ?? '', user.email?.toUpperCase() ?? '']) {
    assert.is((await change(password, input)).status, 422, input);
  }
  assert.is((await change(password, 'x'.repeat(128))).status, 204);
});

test('a user without a password (a student with a quick code only) gets INVALID_CREDENTIALS', async () => {
  user = await buildUser(app.database.owner, 'STUDENT');
  token = await signIn(app, user);
  assert.is(codeOf(await change('anything')), 'INVALID_CREDENTIALS');
});

test('two changes at the same moment: one succeeds, the other is refused because the old password has changed', async () => {
  const inputs = ['first of two passwords', 'second of two passwords'];
  const replies = await Promise.all(inputs.map((input) => change(password, input)));
  const won = replies.findIndex(({ status }) => status === 204);
  assert.equal(replies.map(({ status }) => status).sort(), [204, 401]);
  assert.is((await login(inputs[won] ?? '')).status, 200);
  assert.is((await login(inputs[1 - won] ?? '')).status, 401);
});

test.run();
