// timeout: 240s
// The embedded server through all events on a developer's machine: first start, next start, the process of the service
// killed, the server killed, files of other processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { prepareInstallation } from '#core/platform/postgres/binaries.ts';
import { type EmbeddedServer, startEmbeddedServer } from '#core/platform/postgres/launcher.ts';
import { readPidFile } from '#core/platform/postgres/pid-file.ts';
import { alive } from '#core/platform/postgres/processes.ts';
import { skipped } from '../../../harness/needs.ts';

const asRoot = process.getuid?.() === 0;
const onLinux = process.platform === 'linux' ? test : test.skip;
if (process.platform !== 'linux') skipped('the account of a server that root starts', 'needs Linux');

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'launcher-test-'));
fs.chmodSync(dataDir, 0o755);
const dataRoot = prepareInstallation(dataDir).dataRoot;
const pidFile = path.join(dataRoot, 'pg', 'postmaster.pid');

/** Stops what a failed test has left running before the folder is removed. */
test.after(async () => {
  if (fs.existsSync(pidFile)) await (await startEmbeddedServer({ dataDir })).stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
  fs.rmSync(dataRoot, { recursive: true, force: true });
});

async function query(server: Pick<EmbeddedServer, 'url'>, sql: string) {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function withServer<T>(work: (server: EmbeddedServer) => Promise<T>): Promise<T> {
  const server = await startEmbeddedServer({ dataDir });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Longer than the timeout of one connection attempt. */
const lateMs = 5_000;

const serverPid = () => Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A process that starts the server and is killed without a chance to stop it. */
async function startAndDie(): Promise<void> {
  const program = `
    import { startEmbeddedServer } from ${JSON.stringify(path.resolve('src/core/platform/postgres/launcher.ts'))};
    await startEmbeddedServer({ dataDir: ${JSON.stringify(dataDir)} });
    console.log('ready');
    setInterval(() => {}, 1000);`;
  const argv = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const child: ChildProcess = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

test('the first start creates a cluster with UTF-8, order by code point and UTC', async () => {
  await withServer(async (server) => {
    assert.is(server.adopted, false);
    const [settings] = await query(
      server,
      `select current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone,
        (select datcollate from pg_database where datname = 'postgres') as collation,
        current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync`,
    );
    assert.equal(settings, { encoding: 'UTF8', zone: 'UTC', collation: 'C', addresses: '127.0.0.1', fsync: 'on' });
    await query(server, 'create table kept (id integer)');
    await query(server, 'insert into kept select generate_series(1, 1000)');
  });
});

test('nothing in the data directory can be read by another account', () => {
  const names = fs.readdirSync(dataRoot);
  for (const name of ['pg', 'pg.log', 'pg.password', 'pg.app-password']) assert.ok(names.includes(name), name);
  for (const name of names) assert.is(fs.statSync(path.join(dataRoot, name)).mode & 0o077, 0, name);
});

test('a created data directory is closed to others, and the server’s account can enter it', async () => {
  const made = path.join(dataDir, 'made');
  const server = await startEmbeddedServer({ dataDir: made });
  try {
    const { mode } = fs.statSync(made);
    assert.is(mode & 0o007, 0);
    assert.is(mode & 0o070, asRoot ? 0o010 : 0);
    assert.is(server.displacedTo, undefined);
  } finally {
    await server.stop();
  }
});

test('a log that an earlier version made readable to others is closed', async () => {
  fs.chmodSync(path.join(dataRoot, 'pg.log'), 0o644);
  await withServer(async () => {});
  assert.is(fs.statSync(path.join(dataRoot, 'pg.log')).mode & 0o077, 0);
});

if (asRoot)
  test('a data directory that the server’s account cannot reach is reported, and the data is in another folder', async () => {
    const home = path.join(dataDir, 'home');
    fs.mkdirSync(path.join(home, 'data'), { recursive: true, mode: 0o700 });
    const server = await startEmbeddedServer({ dataDir: path.join(home, 'data') });
    try {
      assert.match(server.displacedTo ?? '', 'literacy-data-');
    } finally {
      await server.stop();
      fs.rmSync(server.displacedTo ?? '', { recursive: true, force: true });
    }
  });

test('a wrong password is refused', async () => {
  await withServer(async (server) => {
    const url = new URL(server.url('postgres'));
    url.password = 'guess';
    const client = new pg.Client({ connectionString: url.href });
    let refusal: unknown;
    await client.connect().catch((error) => {
      refusal = error;
    });
    assert.match(String(refusal), 'password authentication failed');
  });
});

test('the next start finds the rows and stop ends the process', async () => {
  const pid = await withServer(async (server) => {
    assert.equal(await query(server, 'select count(*)::integer as rows from kept'), [{ rows: 1000 }]);
    return serverPid();
  });
  assert.is(alive(pid), false);
  assert.is(fs.existsSync(pidFile), false);
});

onLinux('as root the server runs under another, unprivileged account', async () => {
  await withServer(async () => {
    const owner = fs.statSync(`/proc/${serverPid()}`).uid;
    if (asRoot) assert.is.not(owner, 0);
    else assert.is(owner, process.getuid?.());
  });
});

test('a server whose process was killed is adopted, and its stop works', async () => {
  await startAndDie();
  const orphan = serverPid();
  await withServer(async (server) => {
    assert.is(server.adopted, true);
    assert.is(serverPid(), orphan);
    assert.equal(await query(server, 'select count(*)::integer as rows from kept'), [{ rows: 1000 }]);
  });
  assert.is(alive(orphan), false);
});

test('a server that responds late, as on a busy machine, is adopted', async () => {
  await startAndDie();
  const pid = serverPid();
  process.kill(pid, 'SIGSTOP');
  const heir = startEmbeddedServer({ dataDir });
  const early = await Promise.race([heir.then(() => 'adopted').catch(String), after(lateMs, 'waits')]);
  process.kill(pid, 'SIGCONT');
  assert.is(early, 'waits');
  const server = await heir;
  assert.is(server.adopted, true);
  await server.stop();
});

test('after kill -9 of the server what was committed is there and what was not is not', async () => {
  const server = await startEmbeddedServer({ dataDir });
  await query(server, 'insert into kept select generate_series(1001, 1500)');
  const open = new pg.Client({ connectionString: server.url('postgres') });
  open.on('error', () => {});
  await open.connect();
  await open.query('begin');
  await open.query('insert into kept values (9999)');
  const pid = serverPid();
  process.kill(pid, 'SIGKILL');
  await until(() => !alive(pid));
  await open.end().catch(() => {});
  await withServer(async (next) => {
    assert.is(next.adopted, false);
    assert.equal(await query(next, 'select count(*)::integer as rows, max(id) as last from kept'), [
      { rows: 1500, last: 1500 },
    ]);
  });
});

const portOf = (server: EmbeddedServer) => Number(new URL(server.url('postgres')).port);

test('after kill -9 of process and server at once the next one listens on the same port', async () => {
  const before = await startEmbeddedServer({ dataDir });
  const port = portOf(before);
  await before.stop();
  await startAndDie();
  process.kill(serverPid(), 'SIGKILL');
  await withServer(async (server) => {
    assert.is(server.adopted, false);
    assert.is(portOf(server), port);
  });
});

test('if another program has taken the port, a new one is used and stored', async () => {
  const first = await startEmbeddedServer({ dataDir });
  const port = portOf(first);
  await first.stop();
  const stranger = createServer().listen(port, '127.0.0.1');
  await once(stranger, 'listening');
  let next = 0;
  await withServer(async (server) => {
    next = portOf(server);
    assert.is.not(next, port);
  });
  stranger.close();
  await withServer(async (server) => assert.is(portOf(server), next));
});

test('stop of a dead server resolves', async () => {
  const server = await startEmbeddedServer({ dataDir });
  const pid = serverPid();
  process.kill(pid, 'SIGKILL');
  await until(() => !alive(pid));
  const late = new Promise((resolve) => setTimeout(() => resolve('still waiting'), 3000));
  assert.is(await Promise.race([server.stop(), late]), undefined);
});

test('a pid file that names another living process does not prevent the start', async () => {
  await withServer(async () => {});
  fs.writeFileSync(pidFile, [process.pid, path.join(dataRoot, 'pg'), 0, 1, '', '127.0.0.1', '', 'ready'].join('\n'));
  await withServer(async (server) => {
    assert.is(server.adopted, false);
    assert.is.not(serverPid(), process.pid);
    assert.equal(await query(server, 'select count(*)::integer as rows from kept'), [{ rows: 1500 }]);
  });
});

test('a start beside a stopping server waits for its end, repeatedly', async () => {
  for (let round = 0; round < 5; round++) {
    const server = await startEmbeddedServer({ dataDir });
    const stopping = server.stop();
    await withServer(async (next) => {
      await stopping;
      assert.is(next.adopted, false);
      assert.equal(await query(next, 'select 1 as one'), [{ one: 1 }]);
    });
  }
});

test('a server that a killed process left while starting is adopted', async () => {
  await startAndDie();
  const pid = serverPid();
  const { port } = readPidFile(path.join(dataRoot, 'pg')) ?? {};
  process.kill(pid, 'SIGKILL');
  await until(() => !alive(pid));
  const argv = ['-D', path.join(dataRoot, 'pg'), '-p', String(port), '-c', 'unix_socket_directories='];
  const { binDir, account } = prepareInstallation(dataDir);
  const orphans = { ...account, cwd: '/', detached: true, stdio: 'ignore' } as const;
  let started = spawn(path.join(binDir, 'postgres'), argv, orphans);
  while (readPidFile(path.join(dataRoot, 'pg'))?.pid !== started.pid) {
    if (started.exitCode !== null) started = spawn(path.join(binDir, 'postgres'), argv, orphans);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await withServer(async (server) => {
    assert.is(server.adopted, true);
    assert.equal(await query(server, 'select 1 as one'), [{ one: 1 }]);
  });
});

test('a missing, empty or truncated pid file counts as none', () => {
  const folder = fs.mkdtempSync(path.join(dataDir, 'pid-'));
  assert.is(readPidFile(folder), undefined);
  for (const text of ['', '123', '123\n/data\n0\n']) {
    fs.writeFileSync(path.join(folder, 'postmaster.pid'), text);
    assert.is(readPidFile(folder), undefined, text);
  }
  fs.writeFileSync(path.join(folder, 'postmaster.pid'), '123\n/data\n0\n5432\n\n127.0.0.1\n\nstarting\n');
  assert.equal(readPidFile(folder), { pid: 123, port: 5432, ready: false });
});

test('an incomplete cluster is created again', async () => {
  const half = path.join(dataDir, 'half');
  fs.mkdirSync(path.join(half, 'pg', 'base'), { recursive: true });
  const server = await startEmbeddedServer({ dataDir: half });
  try {
    assert.equal(await query(server, 'select 1 as one'), [{ one: 1 }]);
  } finally {
    await server.stop();
  }
});

test('settings reach the server', async () => {
  const server = await startEmbeddedServer({ dataDir, settings: ['fsync=off', 'work_mem=1234kB'] });
  try {
    assert.equal(await query(server, "select current_setting('work_mem') as value"), [{ value: '1234kB' }]);
  } finally {
    await server.stop();
  }
});

test.run();
