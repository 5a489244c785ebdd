// The output of `npm run migrate -- --print-roles` is executed unchanged by an administrator, before and after the first
// migration; then the owner migrates, and requests run on the login. The test has a server of its own, since roles belong to a
// server.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { rolesSql } from '#core/platform/connections/roles.ts';
import { inContext } from '#core/platform/db.ts';
import { migrate } from '#core/platform/migrations/migrate.ts';
import { prepareInstallation } from '#core/platform/postgres/binaries.ts';
import { type EmbeddedServer, startEmbeddedServer } from '#core/platform/postgres/launcher.ts';
import { enablePlatformLogin } from '#core/platform/postgres/login.ts';
import { connect } from '../../../harness/database.ts';

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-roles-'));
fs.chmodSync(dataDir, 0o755);
let server: EmbeddedServer;
const printed = rolesSql({});

test.before(async () => {
  server = await startEmbeddedServer({ dataDir, settings: ['fsync=off'] });
});

test.after(async () => {
  await server.stop();
  for (const dir of new Set([dataDir, prepareInstallation(dataDir).dataRoot]))
    fs.rmSync(dir, { recursive: true, force: true });
});

async function asAdministrator(...statements: string[]): Promise<void> {
  const client = new pg.Client(server.url('postgres'));
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}

const urlOf = (login: string) => {
  const url = new URL(server.url('postgres'));
  [url.username, url.password] = [login, 'x'];
  return url.href;
};

test('it contains no password, and names the logins of the URLs', () => {
  assert.not.match(printed, /password '/i);
  const named = rolesSql({ databaseUrl: 'postgres://boss:secret@h/d', databaseAppUrl: 'postgres://runs:secret@h/d' });
  for (const login of ['boss', 'runs', 'runs_platform']) assert.match(named, `"${login}"`);
  assert.not.match(named, 'secret');
});

test('it can be run unchanged before the first migration and after it', async () => {
  await asAdministrator(
    printed,
    ...['literacy_owner', 'literacy_run', 'literacy_run_platform'].map((login) => `alter role ${login} password 'x'`),
  );
  const owner = connect(urlOf('literacy_owner'), { poolSize: 2, statementTimeoutMs: null, asOwner: true });
  const app = connect(urlOf('literacy_run'), { poolSize: 2 });
  try {
    await migrate(owner, urlOf('literacy_owner'));
    await asAdministrator(printed);
    await enablePlatformLogin(owner, urlOf('literacy_run'));
    await owner('organization').insert({
      id: 'one',
      name: 'One',
      slug: 'one-of-all',
      country: 'SA',
      defaultLocale: 'ar-SA',
      createdAt: new Date(),
    });
    const seen = (organizationId: string) =>
      inContext(app, { organizationId }, async (trx) => trx('organization').pluck('id'));
    assert.equal([await seen('one'), await seen('another')], [['one'], []]);
    assert.equal(await inContext(app, 'SUPER', async (trx) => trx('organization').pluck('id')), ['one']);
  } finally {
    await app.destroy();
    await owner.destroy();
  }
});

test('the backup’s login reads everything and writes nothing', async () => {
  await asAdministrator("alter role literacy_backup password 'x'");
  const client = new pg.Client(urlOf('literacy_backup'));
  await client.connect();
  try {
    assert.is((await client.query("select id from organization where id <> 'platform'")).rowCount, 1);
    const refused: unknown = await client
      .query("delete from organization where id = 'one'")
      .catch((error: unknown) => error);
    assert.match(String(refused), /read-only transaction|permission denied/);
  } finally {
    await client.end();
  }
});

test.run();
