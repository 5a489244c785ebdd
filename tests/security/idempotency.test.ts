// A creating request that is sent twice with one Idempotency-Key creates once and gets the same response.
import { spawn } from 'node:child_process';
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { openApiDocument } from '#core/http/description/openapi.ts';
import { once } from '#core/platform/idempotency.ts';
import { newId } from '#core/platform/ids.ts';
import { lockText } from '#core/platform/locks.ts';
import { eventually } from '../harness/eventually.ts';
import { signIn } from '../harness/factories.ts';
import { useApp } from '../harness/http.ts';
import { buildTenant, type Person, type Tenant } from '../harness/world.ts';
import { codeOf, inParallel, noGeneralLimits, tally } from './support.ts';

const app = useApp(test, { settings: noGeneralLimits, rules: true });
const { owner } = app.database;
let tenant: Tenant;
let admin: Person;

test.before(async () => {
  tenant = await buildTenant(app);
  admin = tenant.people.ADMIN;
});

const school = (name: string) => ({ organizationId: tenant.organizationId, name, country: 'SA' });
const create = (body: object, key: string, token = admin.token) =>
  app.post<{ id: string }>('/api/schools', body, { token, headers: { 'idempotency-key': key } });
const countNamed = async (name: string) => (await owner('school').where({ name }).select('id')).length;

test('a repeated request gets the first response, marked as a replay, and creates nothing', async () => {
  const key = newId();
  const first = await create(school('once'), key);
  const second = await create(school('once'), key);
  assert.equal([first.status, second.status, second.body], [201, 201, first.body]);
  assert.equal([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')], [null, 'true']);
  assert.is(await countNamed('once'), 1);
});

test('the order of properties does not make a different request; another value does', async () => {
  const key = newId();
  await create(school('order'), key);
  const { country, name, organizationId } = school('order');
  assert.is((await create({ country, name, organizationId }, key)).headers.get('idempotency-replayed'), 'true');
  const other = await create(school('another'), key);
  assert.equal([other.status, codeOf(other)], [409, 'CONFLICT']);
  assert.is(await countNamed('another'), 0);
});

test('another path under the same key is another request', async () => {
  const key = newId();
  const headers = { 'idempotency-key': key };
  const { STUDENT, 'STUDENT elsewhere': elsewhere, ADMIN } = tenant.people;
  const issue = (id: number) => app.post(`/api/students/${id}/quick-code`, undefined, { token: ADMIN.token, headers });
  assert.is((await issue(STUDENT.id)).status, 201);
  assert.is(codeOf(await issue(elsewhere.id)), 'CONFLICT');
});

test('keys are separate for each caller and route', async () => {
  const key = newId();
  await create(school('mine'), key);
  const other = await buildTenant(app);
  const foreign = await create(
    { ...school('theirs'), organizationId: other.organizationId },
    key,
    other.people.ADMIN.token,
  );
  assert.equal([foreign.status, foreign.headers.get('idempotency-replayed')], [201, null]);
  const body = { schoolId: tenant.school.id, name: '3C', grade: 3, academicYear: '2025-2026' };
  const otherRoute = await app.post('/api/classes', body, { token: admin.token, headers: { 'idempotency-key': key } });
  assert.equal([otherRoute.status, otherRoute.headers.get('idempotency-replayed')], [201, null]);
});

test('fifty at the same moment create once; the others are replayed or refused as in progress', async () => {
  for (let round = 0; round < 20; round++) {
    const key = newId();
    const replies = await inParallel(50, () => create(school(key), key));
    const fresh = replies.filter(({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'));
    assert.is(fresh.length, 1, JSON.stringify(tally(replies)));
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      assert.equal([reply.status, codeOf(reply)], [409, 'CONFLICT']);
      assert.ok(reply.headers.has('retry-after'));
    }
    assert.is(await countNamed(key), 1);
  }
});

test('after 24 hours of business time a key may be used again', async () => {
  const key = newId();
  await create(school('a day'), key);
  app.clock.advance(24 * 3_600_000 - 1);
  assert.is((await create(school('a day'), key, await signIn(app, admin))).headers.get('idempotency-replayed'), 'true');
  app.clock.advance(1);
  const repeated = await create(school('a day'), key, await signIn(app, admin));
  assert.equal([repeated.status, repeated.headers.get('idempotency-replayed')], [201, null]);
  assert.is(await countNamed('a day'), 2);
});

test('a refusal is not stored: a corrected request may use the same key', async () => {
  tenant = await buildTenant(app);
  admin = tenant.people.ADMIN;
  const key = newId();
  assert.is((await create({ ...school('refused'), country: 'EG' }, key)).status, 422);
  assert.is((await create(school('refused'), key)).status, 201);
});

test('a replay passes the checks before it: none after the session ended', async () => {
  const key = newId();
  const { people } = await buildTenant(app);
  const body = { ...school('ended'), organizationId: people.ADMIN.organizationId };
  await create(body, key, people.ADMIN.token);
  await app.post('/api/auth/logout', {}, { token: people.ADMIN.token });
  assert.is((await create(body, key, people.ADMIN.token)).status, 401);
});

test('a key that is empty, too long or not visible ASCII: 422', async () => {
  for (const key of ['x'.repeat(129), 'with space', 'caf\u00e9']) {
    assert.is((await create(school('bad key'), key)).status, 422, key);
  }
  assert.is((await create(school('longest key'), 'x'.repeat(128))).status, 201);
});

test('responses are stored encrypted: the table shows no code and no token', async () => {
  const headers = { 'idempotency-key': newId() };
  const path = `/api/students/${tenant.people.STUDENT.id}/quick-code`;
  const { body } = await app.post<{ quickCode: string }>(path, undefined, { token: admin.token, headers });
  const repeated = await app.post<{ quickCode: string }>(path, undefined, { token: admin.token, headers });
  assert.is(repeated.body.quickCode, body.quickCode);
  const rows = await owner('idempotent_answer').select('*');
  assert.ok(rows.length > 0);
  assert.not.match(JSON.stringify(rows), body.quickCode);
  for (const { encryptedAnswer } of rows)
    assert.not.match(Buffer.from(encryptedAnswer, 'base64').toString('latin1'), 'quickCode');
});

test('a PDF is replayed byte for byte', async () => {
  const headers = { 'idempotency-key': newId(), accept: 'application/pdf' };
  const path = `/api/classes/${tenant.classRow.id}/quick-codes`;
  const first = await app.post<string>(path, undefined, { token: admin.token, headers });
  const second = await app.post<string>(path, undefined, { token: admin.token, headers });
  assert.equal([second.headers.get('content-type'), second.body === first.body], ['application/pdf', true]);
});

test('a process that is killed in the middle leaves no key behind', async () => {
  const lock = lockText(
    'idempotentAnswer',
    JSON.stringify(['idempotent_answer', `user:${admin.id}`, 'createSchool', 'crash']),
  );
  const script = `
    import pg from 'pg';
    const client = new pg.Client(process.env.DATABASE_APP_URL);
    await client.connect();
    await client.query('begin');
    await client.query('select pg_try_advisory_xact_lock(hashtextextended($1, 0))', [process.argv[1]]);
    process.stdout.write('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, lock], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const waiting = await create(school('crash'), 'crash');
  assert.equal([waiting.status, codeOf(waiting), waiting.headers.get('retry-after')], [409, 'CONFLICT', '1']);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  await untilFree(lock);
  assert.is((await create(school('crash'), 'crash')).status, 201);
});

/** Waits until PostgreSQL has noticed the dead connection. */
async function untilFree(lock: string): Promise<void> {
  const client = new pg.Client(app.database.appUrl);
  await client.connect();
  const free = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free';
  await eventually('the lock is released', async () => (await client.query(free, [lock])).rows[0].free);
  await client.end();
}

test('a vanished machine blocks its key for one minute at most', async () => {
  const limits: string[] = [];
  await app.database.app.transaction(async (trx) => {
    const request = { caller: 'user:1', operation: 'x', key: 'k', content: {} };
    const keeping = { now: app.clock.now(), retainedSince: async () => new Date(0) };
    await once(trx, app.services.cipher, request, keeping, async () => {
      const { rows } = await trx.raw("select current_setting('idle_in_transaction_session_timeout') as value");
      limits.push(rows[0].value);
      return { status: 201, body: {} };
    });
  });
  assert.equal(limits, ['1min']);
});

test('every POST of a signed-in caller that answers 201 or 202 honours the key: no route is an exception', () => {
  const creating = allRoutes().filter(({ method, answers, allow }) => {
    return method === 'post' && (201 in answers || 202 in answers) && allow !== 'public';
  });
  assert.ok(creating.length >= 10);
  for (const { operation, readOnly } of creating) assert.not.ok(readOnly, operation);
});

test('no public route honours a key: unknown callers could receive each other’s responses', async () => {
  await owner('idempotent_answer').delete();
  const creating = allRoutes().filter(({ method, answers, allow }) => {
    return method === 'post' && (201 in answers || 202 in answers) && allow === 'public';
  });
  assert.ok(creating.length >= 3);
  const { paths } = openApiDocument(creating) as {
    paths: Record<string, { post: { parameters: { name: string }[] } }>;
  };
  for (const { post } of Object.values(paths)) {
    assert.not.ok(post.parameters.some(({ name }) => name === 'Idempotency-Key'));
  }
  for (const { path } of creating) await app.post(path, {}, { headers: { 'idempotency-key': 'public' } });
  assert.equal(await owner('idempotent_answer').select('*'), []);
});

test('every creating operation documents the header', () => {
  const { paths } = openApiDocument(allRoutes()) as unknown as { paths: Record<string, { post?: Described }> };
  const posts = Object.values(paths).flatMap(({ post }) => (post && post.security?.length !== 0 ? [post] : []));
  const making = posts.filter(({ responses }) => '201' in responses || '202' in responses);
  assert.ok(making.some(({ responses }) => '202' in responses));
  const silent = making.filter(({ parameters = [] }) => !parameters.some(({ name }) => name === 'Idempotency-Key'));
  assert.equal(
    silent.map(({ operationId }) => operationId),
    [],
  );
});

interface Described {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name?: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

test.run();
