// Logout from the current session, from the session of a refresh token, or from all sessions.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildOrganization, buildUser, openSessionOf, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';

const app = useApp(test);

const newTeacher = () => buildUser(app.database.owner, 'TEACHER');
const logout = (token: string, body?: unknown) => app.post('/api/auth/logout', body, { token });
const session = (user: UserRow) => openSessionOf(app, user);

async function lives(token: string): Promise<boolean> {
  const { status, body } = await app.get<{ code?: string }>('/api/auth/me', { token });
  if (status !== 200) assert.is(body.code, 'SESSION_REVOKED');
  return status === 200;
}

test('without a body: this session ends at once, access and refresh token', async () => {
  const user = await newTeacher();
  const [here, there] = [await session(user), await session(user)];
  const { status, body } = await logout(here.accessToken);
  assert.is(status, 204);
  assert.is(body, undefined);
  assert.is(await lives(here.accessToken), false);
  const refreshed = await app.post<{ code: string }>('/api/auth/refresh', { refreshToken: here.refreshToken });
  assert.is(refreshed.status, 401);
  assert.is(refreshed.body.code, 'SESSION_REVOKED');
  assert.is(await lives(there.accessToken), true);
});

test('with a refresh token of an own session: that session ends too', async () => {
  const user = await newTeacher();
  const [here, there, third] = [await session(user), await session(user), await session(user)];
  assert.is((await logout(here.accessToken, { refreshToken: there.refreshToken })).status, 204);
  assert.is(await lives(there.accessToken), false);
  assert.is(await lives(third.accessToken), true);
});

test('with a refresh token of another account or an unknown one: no other session ends, and the response is the same', async () => {
  const stranger = await session(await newTeacher());
  for (const refreshToken of [stranger.refreshToken, 'x'.repeat(43)]) {
    const { accessToken } = await session(await newTeacher());
    assert.is((await logout(accessToken, { refreshToken })).status, 204);
  }
  assert.is(await lives(stranger.accessToken), true);
});

test('allSessions: every session of the caller ends, and no other', async () => {
  const user = await newTeacher();
  const sessions = [await session(user), await session(user), await session(user)];
  const stranger = await session(await newTeacher());
  assert.is((await logout(String(sessions[0]?.accessToken), { allSessions: true })).status, 204);
  for (const { accessToken } of sessions) assert.is(await lives(accessToken), false);
  assert.is(await lives(stranger.accessToken), true);
});

test('allSessions on the shared account of a demo: only the current session ends', async () => {
  const { id: organizationId } = await buildOrganization(app.database.owner, { isDemo: true });
  const shared = await buildUser(app.database.owner, 'TEACHER', { organizationId });
  const [visitor, stranger] = [await session(shared), await session(shared)];
  assert.is((await logout(visitor.accessToken, { allSessions: true })).status, 204);
  assert.equal([await lives(visitor.accessToken), await lives(stranger.accessToken)], [false, true]);
});

test('allSessions: false is 422, and an ended session cannot log out again', async () => {
  const { accessToken } = await session(await newTeacher());
  assert.is((await logout(accessToken, { allSessions: false })).status, 422);
  assert.is((await logout(accessToken)).status, 204);
  assert.is((await logout(accessToken)).status, 401);
});

test.run();
