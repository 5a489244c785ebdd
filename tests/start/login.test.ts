// timeout: 300s
// Which database login the programs use, as the database reports it, and what that login cannot do.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ready, useDataDir, usePrograms, within } from './program.ts';

const test = suite('login');
const run = usePrograms(test);
const dataDir = useDataDir(test);
const environment = { DATA_DIR: dataDir, PORT: '0', SEED_DEMO: 'false' };

const secret = (name: string) => fs.readFileSync(path.join(dataDir, name), 'utf8').trim();
const port = () => fs.readFileSync(path.join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')[3];

async function as<T>(user: string, password: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: `postgres://${user}:${password}@127.0.0.1:${port()}/postgres` });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const asOwner = <T>(work: (client: pg.Client) => Promise<T>) => as('postgres', secret('pg.password'), work);
const asService = <T>(work: (client: pg.Client) => Promise<T>) => as('literacy_app', secret('pg.app-password'), work);

/** Null: a connection that has not authenticated yet. */
const loginsNow = async (): Promise<(string | null)[]> => {
  const { rows } = await asOwner((client) =>
    client.query<{ login: string | null }>(`select distinct usename as login from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() order by 1`),
  );
  return rows.map(({ login }) => login);
};

async function refused(sql: string): Promise<void> {
  await asService(async (client) => {
    const error = await client.query(sql).then(
      () => undefined,
      (thrown: pg.DatabaseError) => thrown,
    );
    assert.is(error?.code, '42501', `${sql}: ${error?.message ?? 'accepted'}`);
  });
}

test('no connection of API and workers has the owner’s login', async () => {
  const service = run('src/main.ts', { ...environment, WORKERS: 'none' });
  const [, address] = await service.until(ready);
  const worker = run('workers/main.ts', environment);
  await worker.until(/Workers are running/);
  await fetch(`${address}/readyz`);
  let logins: (string | null)[] = [];
  await within(60_000, 'no connection is authenticating', async () => {
    logins = await loginsNow();
    return !logins.includes(null);
  });
  assert.equal(logins, ['literacy_app', 'literacy_app_platform']);

  const session = await asService((client) =>
    client.query(`select session_user::text as login, current_setting('search_path') as path,
      current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle,
      (select count(*)::integer from pg_auth_members m where m.member = session_user::regrole) as memberships`),
  );
  assert.equal(session.rows, [
    { login: 'literacy_app', path: 'public, pg_temp', lock: '5s', idle: '10s', memberships: 0 },
  ]);
  assert.not.equal(secret('pg.password'), secret('pg.app-password'));

  const back = await asService((client) =>
    client.query(`select set_config('role', 'none', false), current_user::text`),
  );
  assert.is(back.rows[0].current_user, 'literacy_app', 'the role is the login itself');
  for (const sql of [
    'create temp table app_user (id bigint)',
    `copy (select 1) to program 'true'`,
    'create table bullmq.shadow (id bigint)',
    `create function bullmq.shadow() returns integer language sql as 'select 1'`,
    'create table public.shadow (id bigint)',
    'create schema shadow',
    'truncate bullmq.job',
    'delete from bullmq.migration',
    'alter role literacy_app bypassrls',
    `select pg_read_file('postgresql.conf')`,
    'set role postgres',
    'set role literacy_platform',
    'set session authorization literacy_app_platform',
    'select key from context_key',
  ])
    await refused(sql);

  await worker.stop();
  assert.ok((await fetch(`${address}/readyz`)).ok, 'a worker that ends leaves the database to the service');
  assert.is((await service.stop()).code, 0);
});

test.run();
