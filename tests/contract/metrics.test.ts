// Metrics are for operators: RUN_BACKOFFICE, or a direct loopback connection.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../harness/http.ts';
import { buildWorld, type World } from '../harness/world.ts';

const app = useApp(test, { settings: { TRUST_PROXY: '1' } });
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

test('a loopback socket reads metrics without a token', async () => {
  const { status, body } = await app.get<string>('/metrics');
  assert.is(status, 200);
  assert.match(body, /^# HELP /m);
});

test('behind a proxy: no one 401, an administrator 403, backoffice 200', async () => {
  assert.is((await app.get('/metrics', from('203.0.113.7'))).status, 401);
  const admin = world.own.people.ADMIN.token;
  assert.is((await app.get('/metrics', { ...from('203.0.113.7'), token: admin })).status, 403);
  assert.is((await app.get('/metrics', { ...from('203.0.113.7'), token: world.superAdmin.token })).status, 200);
});

test('a forwarded request that claims to be local is not local', async () => {
  assert.is((await app.get('/metrics', from('127.0.0.1'))).status, 401);
});

test.run();
