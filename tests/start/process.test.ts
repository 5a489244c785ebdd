// timeout: 180s
// The real programs as processes: what they print, what they refuse, and that they leave nothing behind.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useDatabase } from '../support/database.ts';

const test = suite('processes');
const database = useDatabase(test);
const repository = path.resolve(import.meta.dirname, '../..');
const started: ChildProcess[] = [];
test.after(() => {
  for (const child of started) child.kill('SIGKILL');
});

interface Program {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  ended(): Promise<number | null>;
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

function run(entry: string, environment: Record<string, string>): Program {
  const child = spawn(process.execPath, ['--import', 'tsx', entry], {
    cwd: repository,
    env: { PATH: process.env.PATH ?? '', HOME: os.homedir(), LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const until = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(output);
      if (found) return found;
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${output}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  return { child, output: () => output, ended: () => ended, until };
}

const onTestDatabase = () => ({
  DATABASE_URL: database.ownerUrl,
  DATABASE_APP_URL: database.appUrl,
  DATA_DIR: fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-start-')),
  PORT: '0',
  SEED_DEMO: 'false',
});
const ready = /ready at (http:\/\/127\.0\.0\.1:\d+)/;

test('npm start prints its address when it is ready, answers, and ends on SIGTERM', async () => {
  const service = run('src/main.ts', onTestDatabase());
  const [, address] = await service.until(ready);
  const answer = await fetch(`${address}/readyz`);
  assert.is(answer.status, 200);
  service.child.kill('SIGTERM');
  assert.is(await service.ended(), 0);
  await fetch(`${address}/healthz`).then(
    () => assert.unreachable('nobody must answer any more'),
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
  assert.match(service.output(), /^Cannot start: The run-time role must not own tables/);
});

test('a port in use is said in one line', async () => {
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
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.is(await me(), 401, 'the access token is 901 seconds old now');
  service.child.kill('SIGTERM');
  await service.ended();
});

test.run();
