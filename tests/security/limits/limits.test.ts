// The general rate limit, and its behaviour while its store is down.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { buildUser, openSessionOf, password, passwordHash, signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { codeOf, from, inParallel, noGeneralLimits, tally } from '../support.ts';

const limited = suite('limits');
const app = useApp(limited, {
  settings: { RATE_LIMIT_USER_PER_MINUTE: '6', RATE_LIMIT_IP_PER_MINUTE: '4', TRUST_PROXY: '1' },
});

limited('a number of requests a minute for one user from any address, then 429 with the time to wait', async () => {
  const token = await signIn(app, await buildUser(app.database.owner, 'TEACHER'));
  const replies = await inParallel(10, (n) => app.get('/api/auth/me', { token, headers: from(`192.0.2.${n}`) }));
  assert.equal(tally(replies), { '200': 6, '429 RATE_LIMITED': 4 });
  const refused = replies.find(({ status }) => status === 429);
  const seconds = Number(refused?.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60);
  assert.is((refused?.body as { retryAfter: number } | undefined)?.retryAfter, seconds);
});

limited('another user is not affected', async () => {
  const token = await signIn(app, await buildUser(app.database.owner, 'TEACHER'));
  assert.is((await app.get('/api/auth/me', { token })).status, 200);
});

limited('a number of requests a minute for one address on public routes', async () => {
  const replies = await inParallel(6, () => app.get('/api/demo/access', { headers: from('192.0.2.200') }));
  assert.equal(tally(replies), { '404 NOT_FOUND': 4, '429 RATE_LIMITED': 2 });
  assert.ok(replies.every(({ status, headers }) => status !== 429 || headers.has('retry-after')));
  assert.is((await app.get('/api/demo/access', { headers: from('192.0.2.201') })).status, 404);
});

limited('sign-in has a window of its own, which other requests from the address do not use up', async () => {
  const headers = from('192.0.2.202');
  await inParallel(6, () => app.get('/api/demo/access', { headers }));
  const replies = await inParallel(8, () => app.post('/api/auth/quickcode', { quickCode: 'ABCD2345' }, { headers }));
  assert.equal(tally(replies), { '401 QUICKCODE_INVALID_OR_EXPIRED': 8 });
  const signIn = allRoutes()
    .filter(({ charge }) => charge === 'sign-in')
    .map(({ operation }) => operation);
  for (const name of ['login', 'loginWithQuickCode', 'startGoogleSignIn', 'finishGoogleSignIn', 'exchangeGoogleCode'])
    assert.ok(signIn.includes(name), name);
});

limited('twenty refreshes a minute for one session, and other users at the address are not affected', async () => {
  const headers = from('192.0.2.203');
  const spend = async (refreshToken: string) =>
    app.post<{ refreshToken: string }>('/api/auth/refresh', { refreshToken }, { headers });
  const [one, other] = [await openSession(), await openSession()];
  let token = one;
  for (let time = 0; time < 20; time++) {
    const reply = await spend(token);
    assert.is(reply.status, 200, `refresh ${time + 1}`);
    token = reply.body.refreshToken;
  }
  const refused = await spend(token);
  assert.equal([refused.status, codeOf(refused), refused.headers.has('retry-after')], [429, 'RATE_LIMITED', true]);
  assert.is((await spend(other)).status, 200);
});

const openSession = async () => (await openSessionOf(app, await buildUser(app.database.owner, 'TEACHER'))).refreshToken;

limited('a forged X-Forwarded-For before that of the proxy does not make a new client', async () => {
  const replies = await inParallel(6, (n) =>
    app.get('/api/demo/access', { headers: from(`10.0.0.${n}, 127.0.0.1, 192.0.2.210`) }),
  );
  assert.equal(tally(replies), { '404 NOT_FOUND': 4, '429 RATE_LIMITED': 2 });
});

limited('health probes are not limited', async () => {
  const replies = await inParallel(20, () => app.get('/healthz', { headers: from('192.0.2.220') }));
  assert.equal(tally(replies), { '200': 20 });
});

limited('addresses are stored as hashes', async () => {
  const rows = JSON.stringify(await app.database.owner('rate_limit').select('*'));
  assert.not.match(rows, '192.0.2');
});

limited.run();

const direct = suite('no proxy');
const bare = useApp(direct, { settings: { RATE_LIMIT_IP_PER_MINUTE: '4', TRUST_PROXY: '0' } });

direct('without a trusted proxy X-Forwarded-For is ignored', async () => {
  const replies = await inParallel(6, (n) => bare.get('/api/demo/access', { headers: from(`192.0.2.${n}`) }));
  assert.equal(tally(replies), { '404 NOT_FOUND': 4, '429 RATE_LIMITED': 2 });
});

direct.run();

const storeDown = suite('store down');
/** No process listens on this port: the Redis of the limits is down while the database works. */
const down = useApp(storeDown, { settings: { ...noGeneralLimits, REDIS_URL: 'redis://127.0.0.1:9' } });
storeDown.after(() => down.services.limits.close());

storeDown('signed-in reads and the public API description work', async () => {
  const token = await signIn(down, await buildUser(down.database.owner, 'TEACHER'));
  assert.is((await down.get('/api/auth/me', { token })).status, 200);
  assert.is((await down.get('/api/openapi.json')).status, 200);
});

storeDown('login and quick code are closed: 503 with retryAfter, right or wrong', async () => {
  const { email } = await buildUser(down.database.owner, 'TEACHER', { passwordHash: await passwordHash() });
  for (const reply of [
    await down.post('/api/auth/login', { email, password }),
    await down.post('/api/auth/login', { email: 'nobody@example.org', password }),
    await down.post('/api/auth/quickcode', { quickCode: 'ABCD2345' }),
  ]) {
    assert.equal([reply.status, codeOf(reply)], [503, 'ENGINE_UNAVAILABLE']);
    assert.ok(reply.headers.has('retry-after'));
  }
});

storeDown('the teaser is closed with its own error code and retryAfter', async () => {
  const teaser = allRoutes().filter(({ path, allow }) => path.startsWith('/api/teaser/') && allow === 'public');
  assert.is(teaser.length, 3);
  for (const { path, method } of teaser) {
    const at = path.replace(':id', 'a'.repeat(24));
    const reply = await down.request(method.toUpperCase(), at, { body: { grade: 1 } });
    assert.equal([reply.status, codeOf(reply)], [503, 'TEASER_UNAVAILABLE'], path);
    assert.ok(reply.headers.has('retry-after'));
  }
});

storeDown('every route that takes a secret from an anonymous caller is closed', () => {
  const closed = allRoutes().filter(({ limit }) => limit === 'closed');
  const names = closed.map(({ operation }) => operation);
  for (const name of ['login', 'loginWithQuickCode', 'exchangeGoogleCode', 'changePassword'])
    assert.ok(names.includes(name));
});

storeDown.run();
