// A deactivated account is closed immediately for every kind of sign-in.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser, openSessionOf, password, passwordHash, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';

const app = useApp(test);
const { owner } = app.database;

test('deactivating ends access tokens, refresh tokens and sign-in; reactivating allows only sign-in', async () => {
  const user = await buildUser(owner, 'TEACHER', { passwordHash: await passwordHash() });
  const admin = await signIn(app, await buildUser(owner, 'ADMIN', { organizationId: user.organizationId }));
  const { accessToken, refreshToken } = await openSessionOf(app, user);
  const code = async (reply: Promise<{ body: { code?: string } }>) => (await reply).body.code;
  const me = () => code(app.get('/api/auth/me', { token: accessToken }));
  const refresh = () => code(app.post('/api/auth/refresh', { refreshToken }));
  const login = () => code(app.post('/api/auth/login', { email: user.email, password }));
  assert.is(await me(), undefined);

  assert.is((await app.post(`/api/users/${user.id}/deactivate`, undefined, { token: admin })).status, 200);
  assert.is(await me(), 'SESSION_REVOKED');
  assert.is(await refresh(), 'SESSION_REVOKED');
  assert.is(await login(), 'INVALID_CREDENTIALS');

  assert.is((await app.post(`/api/users/${user.id}/reactivate`, undefined, { token: admin })).status, 200);
  assert.is(await me(), 'SESSION_REVOKED');
  assert.is(await refresh(), 'SESSION_REVOKED');
  assert.is(await login(), undefined);
});

test('an inactive user has no access even when no session was revoked', async () => {
  const user = await buildUser(owner, 'TEACHER');
  const { accessToken, refreshToken } = await openSessionOf(app, user);
  await owner('app_user').where({ id: user.id }).update({ status: 'inactive' });
  const refreshed = await app.post<{ accessToken?: string }>('/api/auth/refresh', { refreshToken });
  for (const token of [accessToken, refreshed.body.accessToken ?? accessToken]) {
    const me = await app.get<{ code: string }>('/api/auth/me', { token });
    assert.is(me.body.code, 'SESSION_REVOKED');
  }
});

test.run();
