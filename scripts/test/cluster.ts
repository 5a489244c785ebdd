// The PostgreSQL of tests and generators: a throw-away embedded server without durability, or the one in TEST_DATABASE_URL.
// Databases are copies of one migrated template, so that each test file has its own.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { connect, platformRole, runtimeRole } from '#core/platform/db.ts';
import { migrate } from '#core/platform/migrations/migrate.ts';
import { prepareInstallation } from '#core/platform/postgres/binaries.ts';
import { startEmbeddedServer } from '#core/platform/postgres/launcher.ts';
import { scratchFolder } from './scratch.ts';
import { longTimeouts } from './timeouts.ts';

export interface DatabaseUrls {
  /** The connection string of the role that owns the tables. */
  readonly owner: string;
  /** The connection string of the run-time role, which row-level security binds. */
  readonly app: string;
}

export interface TestCluster {
  /** Creates a freshly migrated database. */
  createDatabase(name: string): Promise<DatabaseUrls>;
  dropDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

interface Server {
  url(database: string): string;
  stop(): Promise<void>;
}

const duplicateDatabase = '42P04';
const repository = path.resolve(import.meta.dirname, '../..');
/**
 * Settings of the throw-away server. Nothing is durable, replicated or old enough for vacuum, each copy of a database is a
 * checkpoint anyway, and the passwords protect nothing, while thousands of connections are opened. Statements are short, so
 * optimizations for long ones and process titles would cost more than they save.
 */
const throwAwaySettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=512MB',
  'checkpoint_timeout=1h',
  'autovacuum=off',
  'scram_iterations=1',
  'max_connections=400',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'io_method=sync',
  'update_process_title=off',
];

export async function startTestCluster(): Promise<TestCluster> {
  const server = await startServer();
  // One connection, because PostgreSQL copies a template only while no other session uses it, so copies must queue.
  const admin = new pg.Pool({ connectionString: server.url('postgres'), max: 1 });
  // end() resolves before the connection is closed, and a server that stops meanwhile makes the connection emit an error.
  admin.on('error', () => {});
  const stop = async () => {
    await admin.end();
    await server.stop();
  };
  try {
    const template = await migratedTemplate(admin, server);
    const appPassword = await enableRuntimeLogins(admin, server);
    return {
      async createDatabase(name) {
        await admin.query(`create database ${name} template ${template} strategy file_copy`);
        // A copy has everything of its template except the privileges on the database itself.
        await admin.query(`revoke temporary on database ${name} from public`);
        const app = new URL(server.url(name));
        app.username = runtimeRole;
        app.password = appPassword;
        return { owner: server.url(name), app: app.href };
      },
      async dropDatabase(name) {
        await admin.query(`drop database if exists ${name} with (force)`);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startServer(): Promise<Server> {
  const configured = process.env.TEST_DATABASE_URL;
  return configured ? Promise.resolve(configuredServer(configured)) : throwAwayServer();
}

function configuredServer(baseUrl: string): Server {
  return {
    url(database) {
      const url = new URL(baseUrl);
      url.pathname = `/${database}`;
      return url.href;
    },
    stop: async () => {},
  };
}

async function throwAwayServer(): Promise<Server> {
  const root = await scratchFolder();
  const dirs = new Set([root, prepareInstallation(root).dataRoot]);
  const remove = () => {
    for (const dir of dirs) fs.rmSync(dir, { recursive: true, force: true });
  };
  try {
    const server = await startEmbeddedServer({ dataDir: root, settings: throwAwaySettings });
    await rehashPassword(server);
    return {
      url: server.url,
      async stop() {
        await server.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Stores the owner's password again: `scram_iterations` applied only after it was first stored. */
async function rehashPassword(server: Server): Promise<void> {
  const url = new URL(server.url('postgres'));
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query(`alter role ${url.username} password '${url.password}'`);
  await client.end();
}

/** Returns the name of the template, which contains a hash of the schema; an unfinished one has another name. */
async function migratedTemplate(admin: pg.Pool, server: Server): Promise<string> {
  const template = `literacy_template_${schemaHash()}`;
  const existing = await admin.query('select from pg_database where datname = $1', [template]);
  if (existing.rowCount === 1) return template;
  const draft = `${template}_${process.pid}`;
  await admin.query(`create database ${draft}`);
  const url = server.url(draft);
  const owner = connect(url, { statementTimeoutMs: null, timeouts: longTimeouts });
  try {
    await migrate(owner, url);
  } finally {
    await owner.destroy();
  }
  await admin.query(`alter database ${draft} rename to ${template}`).catch(async (error: { code?: string }) => {
    // Another run on the same server has created it first.
    if (error.code !== duplicateDatabase) throw error;
    await admin.query(`drop database ${draft}`);
  });
  return template;
}

/**
 * Hashes everything that determines a migrated database: our migrations with what they import, BullMQ's, and what follows them.
 */
function schemaHash(): string {
  const hash = createHash('sha256').update(bullmqVersion());
  const root = path.join(repository, 'migrations');
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  hash.update(fs.readFileSync(path.join(repository, 'src/core/platform/migrations/migrate.ts')));
  for (const file of files.sort()) {
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    hash.update(file).update(text);
    for (const [, list = ''] of text.matchAll(/'#([^']+)'/g))
      hash.update(fs.readFileSync(path.join(repository, 'src', list)));
  }
  return hash.digest('hex').slice(0, 16);
}

function bullmqVersion(): string {
  const manifest = fs.readFileSync(path.join(repository, 'node_modules/bullmq/package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/**
 * Enables the login of the run-time role, and the platform's beside it. The password is derived from the server's URL, so that
 * runs which share a server agree on it.
 */
async function enableRuntimeLogins(admin: pg.Pool, server: Server): Promise<string> {
  const password = createHash('sha256').update(server.url(runtimeRole)).digest('hex').slice(0, 32);
  await admin.query(`
    do $$ begin
      create role ${runtimeRole}_platform noinherit;
    exception when duplicate_object or unique_violation then null;
    end $$;
    grant ${runtimeRole}, ${platformRole} to ${runtimeRole}_platform;
    alter role ${runtimeRole} login password '${password}';
    alter role ${runtimeRole}_platform login password '${password}'`);
  return password;
}
