// timeout: 480s
// The real programs as processes: what they print, what they refuse, and that they leave nothing behind.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useDatabase } from '../harness/database.ts';
import { onDatabase, ready, usePrograms, within } from './program.ts';

const test = suite('processes');
const database = useDatabase(test);
const run = usePrograms(test);
const onTestDatabase = () => onDatabase(database);
/** Queues listen, and schedules and relay have run once. */
const idleMs = 1_500;

test('npm start prints its address when it is ready, answers, and ends on SIGTERM', async () => {
  const service = run('src/main.ts', onTestDatabase());
  const [, address] = await service.until(ready);
  const answer = await fetch(`${address}/readyz`);
  assert.is(answer.status, 200);
  service.child.kill('SIGTERM');
  assert.is(await service.ended(), 0);
  await fetch(`${address}/healthz`).then(
    () => assert.unreachable('no process may respond any more'),
    () => {},
  );
});

test('a second signal while it stops changes nothing', async () => {
  const service = run('src/main.ts', onTestDatabase());
  await service.until(ready);
  service.child.kill('SIGINT');
  service.child.kill('SIGINT');
  assert.is(await service.ended(), 0);
});

test('workers alone run and end on SIGTERM', async () => {
  const worker = run('workers/main.ts', onTestDatabase());
  await worker.until(/Workers are running/);
  worker.child.kill('SIGTERM');
  assert.is(await worker.ended(), 0);
});

test('an idle service or worker logs no warning', async () => {
  const quietly = { ...onTestDatabase(), LOG_LEVEL: 'warn' };
  for (const [entry, begun] of [
    ['src/main.ts', ready],
    ['workers/main.ts', /Workers are running/],
  ] as const) {
    const program = run(entry, quietly);
    await program.until(begun);
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    assert.is((await program.stop()).code, 0);
    assert.equal(program.output().match(/^\{.*"level":[456]0.*$/gm) ?? [], [], entry);
  }
});

test('a process takes no more connections than documented', async () => {
  const documented = fs.readFileSync('docs/operations/configuration.md', 'utf8');
  const [, beside] = /`DB_POOL_SIZE`.* take up to (\d+) more/.exec(documented) ?? [];
  const poolSize = 3;
  const worker = run('workers/main.ts', { ...onTestDatabase(), DB_POOL_SIZE: String(poolSize) });
  await worker.until(/Workers are running/);
  let most = 0;
  // Each kind of job waits for its next run.
  for (const until = performance.now() + 2_000; performance.now() < until; ) {
    const { rows } = await database.owner.raw(
      `select count(*)::integer as open from pg_stat_activity
       where datname = current_database() and usename <> current_user`,
    );
    most = Math.max(most, rows[0].open);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(most > 1 && most <= poolSize + Number(beside), `${most} connections`);
  worker.child.kill('SIGTERM');
  assert.is(await worker.ended(), 0);
});

for (const [name, environment, line] of [
  ['a port that is no port', { PORT: 'http' }, /^Cannot start: PORT must be a whole number from 0 to 65535\.\n$/],
  [
    'production without keys',
    { NODE_ENV: 'production' },
    /^Cannot start: TOKEN_SIGNING_KEY is required in production\.\n$/,
  ],
  [
    'a database that is not there',
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    /^Cannot start: .*DATABASE_URL.*\n$/,
  ],
] as const) {
  test(`${name}: one clear line, and it ends`, async () => {
    const service = run('src/main.ts', { ...onTestDatabase(), ...environment });
    assert.is(await service.ended(), 1);
    assert.match(service.output(), line);
  });
}

test('a run-time role that owns the tables is refused', async () => {
  const service = run('src/main.ts', { ...onTestDatabase(), DATABASE_APP_URL: database.ownerUrl });
  assert.is(await service.ended(), 1);
  assert.match(service.output(), /^Cannot start: The login of the run-time role must not own tables[^\n]*\n$/);
});

test('a port in use is reported in one line', async () => {
  const first = run('src/main.ts', onTestDatabase());
  const [, address] = await first.until(ready);
  const second = run('src/main.ts', { ...onTestDatabase(), PORT: new URL(address ?? '').port });
  assert.is(await second.ended(), 1);
  assert.match(second.output(), /^Cannot start: PORT is already in use/);
  first.child.kill('SIGTERM');
  await first.ended();
});

test('CLOCK_OFFSET_FILE moves business time while the service runs', async () => {
  const offsetFile = path.join(os.tmpdir(), `literacy-clock-${process.pid}`);
  fs.writeFileSync(offsetFile, '');
  const service = run('src/main.ts', { ...onTestDatabase(), CLOCK_OFFSET_FILE: offsetFile });
  const [, address] = await service.until(ready);
  const registered = await fetch(`${address}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'root@example.org',
      password: 'a long secret',
      fullNameAr: 'مديرة',
      primaryPersona: 'ADMIN',
    }),
  });
  const { tokens } = (await registered.json()) as { tokens: { accessToken: string } };
  const me = async () =>
    (await fetch(`${address}/api/auth/me`, { headers: { authorization: `Bearer ${tokens.accessToken}` } })).status;
  assert.is(await me(), 200);
  fs.writeFileSync(offsetFile, String(901_000));
  await within(60_000, 'the access token is 901 seconds old', async () => (await me()) === 401);
  service.child.kill('SIGTERM');
  await service.ended();
});

test.run();
