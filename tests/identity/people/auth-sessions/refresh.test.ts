// Refresh tokens: each is spent once, and a second use ends the whole session.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { TokenPair } from '#identity/people/auth-sessions/auth-sessions.ts';
import { buildUser, openSessionOf, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';

const app = useApp(test);
const { owner } = app.database;
const dayMs = 86_400_000;

const refresh = (refreshToken: string) => app.post<TokenPair & { code: string }>('/api/auth/refresh', { refreshToken });

const meCode = async (token: string) => (await app.get<{ code?: string }>('/api/auth/me', { token })).body.code;

async function session(): Promise<TokenPair & { user: UserRow }> {
  const user = await buildUser(owner, 'TEACHER');
  return { ...(await openSessionOf(app, user)), user };
}

test('a refresh token is exchanged for another pair of the same session', async () => {
  const first = await session();
  const { status, body } = await refresh(first.refreshToken);
  assert.is(status, 200);
  assert.is.not(body.refreshToken, first.refreshToken);
  assert.is(await meCode(body.accessToken), undefined);
  assert.is((await owner('auth_session').where({ userId: first.user.id })).length, 1);
});

test('a spent token is 401 SESSION_REVOKED; its token family and access tokens are revoked immediately', async () => {
  const first = await session();
  const second = (await refresh(first.refreshToken)).body;
  const reused = await refresh(first.refreshToken);
  assert.is(reused.status, 401);
  assert.is(reused.body.code, 'SESSION_REVOKED');
  assert.is((await refresh(second.refreshToken)).body.code, 'SESSION_REVOKED');
  for (const { accessToken } of [first, second]) assert.is(await meCode(accessToken), 'SESSION_REVOKED');
  const { revokedReason } = await owner('auth_session').where({ userId: first.user.id }).first('revokedReason');
  assert.is(revokedReason, 'refresh_reuse');
});

test('the reuse of a token ends no other session of the user', async () => {
  const stolen = await session();
  const other = await openSessionOf(app, stolen.user);
  await refresh(stolen.refreshToken);
  await refresh(stolen.refreshToken);
  assert.is((await refresh(other.refreshToken)).status, 200);
});

test('of ten concurrent refreshes with one token one succeeds, and the session is revoked', async () => {
  const first = await session();
  const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(first.refreshToken)));
  const winners = replies.filter(({ status }) => status === 200);
  assert.is(winners.length, 1);
  const losers = replies.filter(({ status }) => status !== 200);
  assert.equal(new Set(losers.map(({ body }) => body.code)), new Set(['SESSION_REVOKED']));
  for (const { body } of winners) assert.is(await meCode(body.accessToken), 'SESSION_REVOKED');
});

test('an unknown token is 401 TOKEN_INVALID', async () => {
  const { status, body } = await refresh('x'.repeat(43));
  assert.is(status, 401);
  assert.is(body.code, 'TOKEN_INVALID');
});

test('a token expires 30 days after its issue', async () => {
  const { refreshToken } = await session();
  app.clock.advance(30 * dayMs);
  const { status, body } = await refresh(refreshToken);
  assert.is(status, 401);
  assert.is(body.code, 'TOKEN_INVALID');
});

test('each refresh extends the session by 30 days, up to 90 days after the login', async () => {
  const first = await session();
  let refreshToken = first.refreshToken;
  for (let round = 0; round < 3; round += 1) {
    app.clock.advance(30 * dayMs - 60_000);
    const { status, body } = await refresh(refreshToken);
    assert.is(status, 200);
    refreshToken = body.refreshToken;
  }
  // 90 days less 3 minutes have passed.
  app.clock.advance(2 * 60_000);
  const last = await refresh(refreshToken);
  assert.is(last.status, 200);
  app.clock.advance(60_000);
  assert.is((await refresh(last.body.refreshToken)).body.code, 'TOKEN_INVALID');
  assert.is(await meCode(last.body.accessToken), 'SESSION_REVOKED', 'the access token ends with the session');
});

test('only the hash of a refresh token is stored', async () => {
  const { refreshToken } = await session();
  const { rows } = await owner.raw('select count(*) from refresh_token where to_jsonb(refresh_token)::text like ?', [
    `%${refreshToken}%`,
  ]);
  assert.is(rows[0].count, 0);
});

test.run();
