// timeout: 180s
// The main flow through PgBouncer in transaction mode, where consecutive transactions may use different sessions:
// sign-in, a diagnostic, its finish, the recompute by a worker, and the read. Notifications use a direct connection.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '#core/platform/postgres/processes.ts';
import { schoolYearOfToday } from '../harness/clock.ts';
import { useDatabase } from '../harness/database.ts';
import { buildClass, buildStudent, buildTeacher } from '../harness/factories.ts';
import { httpClient } from '../harness/fetch.ts';
import { skipped } from '../harness/needs.ts';
import { password, passwordHash } from '../harness/passwords.ts';
import { onDatabase, ready, usePrograms, within } from './program.ts';

const database = useDatabase(test);
const run = usePrograms(test);
const { owner } = database;
const answers = 5;
let pooler: ChildProcess | undefined;
test.after(() => void pooler?.kill('SIGKILL'));

/** Settings of the login as in README.md. Plain authentication suffices on the loopback interface. */
async function startPooler(): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-pooler-'));
  fs.chmodSync(folder, 0o755);
  const target = new URL(database.appUrl);
  const port = await freePort();
  const users = path.join(folder, 'users.txt');
  const config = path.join(folder, 'pgbouncer.ini');
  const logins = [target.username, `${target.username}_platform`];
  fs.writeFileSync(users, logins.map((login) => `"${login}" "${decodeURIComponent(target.password)}"\n`).join(''));
  fs.writeFileSync(
    config,
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
`,
  );
  // PgBouncer refuses to run as root.
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  pooler = spawn('pgbouncer', [...asOther, config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  pooler.stderr?.on('data', (chunk) => (output += chunk));
  await within(20_000, 'PgBouncer listens', () => /process up/.test(output));
  const through = new URL(database.appUrl);
  through.host = `127.0.0.1:${port}`;
  return through.href;
}

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;
if (!isInstalled) skipped('the main job through PgBouncer', 'needs pgbouncer on the PATH');
else
  test('session, diagnostic, finish, recompute and read through PgBouncer in transaction mode', async () => {
    const environment = {
      ...onDatabase(database),
      ...{ DATABASE_APP_URL: await startPooler(), DATABASE_LISTEN_URL: database.appUrl, WORKERS: 'none' },
    };
    const service = run('src/main.ts', environment);
    const [, url = ''] = await service.until(ready);
    const worker = run('workers/main.ts', environment);
    await worker.until(/Workers are running/);
    const client = httpClient(() => url);
    const { student, teacher } = await buildPeople();
    const { accessToken: reader } = await post<SignedIn>(client, '/api/auth/login', { email: teacher.email, password });
    const code = await post<{ quickCode: string }>(client, `/api/students/${student.id}/quick-code`, {}, reader);
    const child = await post<SignedIn>(client, '/api/auth/quickcode', { quickCode: code.quickCode });
    await takeDiagnostic(client, child.accessToken);
    await within(60_000, 'the results can be read', async () => {
      const { status, body } = await client.get<{ pending: boolean; asOf: string | null }>(
        `/api/sse/students/${student.id}/domain-status`,
        { token: reader },
      );
      assert.is(status, 200, JSON.stringify(body));
      return !body.pending && body.asOf !== null;
    });
    assert.is((await service.stop()).code, 0);
    assert.is((await worker.stop()).code, 0);
  });

type Client = ReturnType<typeof httpClient>;

async function buildPeople() {
  const classRow = await buildClass(owner, { grade: 2, academicYear: schoolYearOfToday() });
  const teacher = await buildTeacher(owner, classRow);
  await owner('app_user')
    .where({ id: teacher.id })
    .update({ passwordHash: await passwordHash() });
  return { student: await buildStudent(owner, classRow), teacher };
}

interface SignedIn {
  readonly accessToken: string;
}

async function post<Body>(client: Client, route: string, body: object, token?: string): Promise<Body> {
  const reply = await client.post<Body>(route, body, token === undefined ? {} : { token });
  assert.ok(reply.status < 300, `${route}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

async function takeDiagnostic(client: Client, token: string): Promise<void> {
  const start = await post<{ sessionId: string }>(client, '/api/diagnostic-sessions/start', {}, token);
  const session = `/api/diagnostic-sessions/${start.sessionId}`;
  for (let at = 0; at < answers; at++) {
    const { served } = await post<{ served: { servedItemId: string } }>(client, `${session}/next-item`, {}, token);
    const answer = { servedItemId: served.servedItemId, selectedOptionIndex: 0, latencyMs: 3_000 };
    await post(client, `${session}/responses`, answer, token);
  }
  await post(client, `${session}/finish`, {}, token);
}

test.run();
