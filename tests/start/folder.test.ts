// timeout: 480s
// alone: a database that was killed is back within ten seconds, where nothing else needs the machine.
// Only one `npm start` runs on a data folder, and a database that is killed alone is restarted.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { databasePid, ready, useDataDir, usePrograms, within } from './program.ts';

const test = suite('folder');
const run = usePrograms(test);
const dataDir = useDataDir(test);
const environment = { DATA_DIR: dataDir, PORT: '0', SEED_DEMO: 'false', LOG_LEVEL: 'info' };

const isReady = (address: string | undefined) => async () =>
  fetch(`${address}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

function ownerUrl(): string {
  const password = fs.readFileSync(path.join(dataDir, 'pg.password'), 'utf8').trim();
  const port = fs.readFileSync(path.join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

async function sql(text: string) {
  const client = new pg.Client({ connectionString: ownerUrl() });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('a second start is refused in one line, the first continues; after kill -9 of the first another start takes over', async () => {
  const first = run('src/main.ts', environment);
  const [, address] = await first.until(ready);
  const second = run('src/main.ts', environment);
  assert.is(await second.ended(), 1);
  const line = `Cannot start: DATA_DIR is in use by the service at ${address} (process ${first.child.pid}); stop it or set another DATA_DIR.\n`;
  assert.is(second.output(), line);
  assert.is(await isReady(address)(), true);

  const worker = run('workers/main.ts', environment);
  await worker.until(/Workers are running/);
  await worker.stop();
  assert.is(await isReady(address)(), true, 'a worker beside it starts and stops');

  first.child.kill('SIGKILL');
  await first.ended();
  const heir = run('src/main.ts', environment);
  const [, next] = await heir.until(ready);
  assert.is(await isReady(next)(), true);
  assert.is((await heir.stop()).code, 0);
  assert.is(databasePid(dataDir), undefined, 'the heir has stopped the database that it found');
});

test('after kill -9 of PostgreSQL alone the service is ready again by itself, with what was committed and queued', async () => {
  const service = run('src/main.ts', { ...environment, WORKERS: 'none' });
  const [, address] = await service.until(ready);
  await sql(`create table kept as select generate_series(1, 1000) as id`);
  await sql(`select bullmq.add_jobs_bulk('recompute', '[{"queue":"recompute","id":"kept","name":"x"}]')`);
  const killed = databasePid(dataDir) ?? 0;
  process.kill(killed, 'SIGKILL');
  const from = performance.now();
  await within(60_000, 'seen', () => /is gone; it is started again/.test(service.output()));
  await within(60_000, 'runs again', () => /runs again/.test(service.output()));
  await within(60_000, 'ready', isReady(address));
  const ms = performance.now() - from;
  assert.ok(ms < 10_000, `ready after ${Math.round(ms)} ms`);
  assert.is.not(databasePid(dataDir), killed);
  assert.equal(await sql('select count(*)::integer as rows from kept'), [{ rows: 1000 }]);
  assert.equal(await sql(`select count(*)::integer as jobs from bullmq.job where id = 'kept'`), [{ jobs: 1 }]);
  assert.is((await service.stop()).code, 0);
  assert.is(databasePid(dataDir), undefined);
});

test.run();
