// The general rate limit, and what happens while its store is down.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '../../src/app.ts';
import { buildUser, password, passwordHash, signIn } from '../support/factories.ts';
import { useApp } from '../support/http.ts';
import { codeOf, from, inParallel, noGeneralLimits, tally } from './support.ts';

const limited = suite('limits');
const app = useApp(limited, {
  settings: { RATE_LIMIT_USER_PER_MINUTE: '6', RATE_LIMIT_IP_PER_MINUTE: '4', TRUST_PROXY: '1' },
});

limited('so many requests a minute for one user, whatever the address; then 429 with the time to wait', async () => {
  const token = await signIn(app, await buildUser(app.database.owner, 'TEACHER'));
  const replies = await inParallel(10, (n) => app.get('/api/auth/me', { token, headers: from(`192.0.2.${n}`) }));
  assert.equal(tally(replies), { '200': 6, '429 RATE_LIMITED': 4 });
  const refused = replies.find(({ status }) => status === 429);
  const seconds = Number(refused?.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60);
  assert.is((refused?.body as { retryAfter: number } | undefined)?.retryAfter, seconds);
});

limited('another user is not concerned', async () => {
  const token = await signIn(app, await buildUser(app.database.owner, 'TEACHER'));
  assert.is((await app.get('/api/auth/me', { token })).status, 200);
});

limited('so many requests a minute for one address on public routes', async () => {
  const headers = from('192.0.2.200');
  const replies = await inParallel(6, () => app.post('/api/auth/refresh', { refreshToken: 'x' }, { headers }));
  assert.equal(tally(replies), { '401 TOKEN_INVALID': 4, '429 RATE_LIMITED': 2 });
  const elsewhere = await app.post('/api/auth/refresh', { refreshToken: 'x' }, { headers: from('192.0.2.201') });
  assert.is(elsewhere.status, 401);
});

limited('an invented X-Forwarded-For in front of the proxy’s own makes nobody new', async () => {
  const replies = await inParallel(6, (n) =>
    app.post('/api/auth/refresh', { refreshToken: 'x' }, { headers: from(`10.0.0.${n}, 127.0.0.1, 192.0.2.210`) }),
  );
  assert.equal(tally(replies), { '401 TOKEN_INVALID': 4, '429 RATE_LIMITED': 2 });
});

limited('probes of the machinery are not limited', async () => {
  const replies = await inParallel(20, () => app.get('/healthz', { headers: from('192.0.2.220') }));
  assert.equal(tally(replies), { '200': 20 });
});

limited('addresses are kept as hashes', async () => {
  const rows = JSON.stringify(await app.database.owner('rate_limit').select('*'));
  assert.not.match(rows, '192.0.2');
});

limited.run();

const direct = suite('no proxy');
const bare = useApp(direct, { settings: { RATE_LIMIT_IP_PER_MINUTE: '4', TRUST_PROXY: '0' } });

direct('without a trusted proxy X-Forwarded-For is worth nothing', async () => {
  const replies = await inParallel(6, (n) =>
    bare.post('/api/auth/refresh', { refreshToken: 'x' }, { headers: from(`192.0.2.${n}`) }),
  );
  assert.equal(tally(replies), { '401 TOKEN_INVALID': 4, '429 RATE_LIMITED': 2 });
});

direct.run();

const storeDown = suite('store down');
/** Nothing listens there: the limiter’s Redis is away while the database is well. */
const down = useApp(storeDown, { settings: { ...noGeneralLimits, REDIS_URL: 'redis://127.0.0.1:9' } });
storeDown.after(() => down.services.limits.close());

storeDown('reading goes on for who is signed in, and for the public description', async () => {
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

storeDown('every route that takes a secret from somebody who is not signed in is closed', () => {
  const closed = allRoutes().filter(({ limit }) => limit === 'closed');
  const names = closed.map(({ operation }) => operation);
  for (const name of ['login', 'loginWithQuickCode', 'exchangeGoogleCode', 'changePassword'])
    assert.ok(names.includes(name));
});

storeDown.run();
