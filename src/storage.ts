// Finds or starts the PostgreSQL that this process works with, and brings it to the schema of this version.
import path from 'node:path';
import { type Config, ConfigError } from './platform/config.ts';
import { connect, type Db, inContext, isDatabaseDown, runtimeRole } from './platform/db.ts';
import { migrate } from './platform/migrate.ts';
import { startEmbeddedServer } from './platform/postgres/launcher.ts';
import { loadRules } from './rulesets/files.ts';
import { installRules } from './rulesets/install.ts';

export interface Storage {
  /** Connections of the run-time role. */
  readonly db: Db;
  /** The same login for the queue and for LISTEN. */
  readonly appConnection: { readonly connectionString: string; readonly options?: string };
  /** Shipped rule versions that stayed out, because the backoffice has published others under their numbers. */
  readonly rulesKeptOut: readonly string[];
  disconnect(): Promise<void>;
  /** Stops the embedded server where this process is responsible for it. */
  stopServer(): Promise<void>;
  /** Both, one after the other. */
  close(): Promise<void>;
}

const rulesDir = path.resolve(import.meta.dirname, '../rules');
const embeddedDatabase = 'postgres';

interface Server {
  readonly ownerUrl: string;
  readonly app: Storage['appConnection'];
  stop(): Promise<void>;
}

/** `keepServer`: leave an embedded server running that another process started (a worker beside `npm start`). */
export async function openStorage(
  config: Config,
  now: Date,
  options: { keepAdopted?: boolean } = {},
): Promise<Storage> {
  const server = await findServer(config, options.keepAdopted ?? false);
  try {
    const rulesKeptOut = await prepare(server, now).catch(explainUnreachable);
    const db = connect(server.app.connectionString, server.app.options ? { actAs: runtimeRole } : {});
    await refusePowerfulRole(db);
    return {
      db,
      appConnection: server.app,
      rulesKeptOut,
      disconnect: () => db.destroy(),
      stopServer: () => server.stop(),
      close: async () => {
        await db.destroy();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function findServer(config: Config, keepAdopted: boolean): Promise<Server> {
  if (config.databaseUrl !== undefined) {
    return {
      ownerUrl: config.databaseUrl,
      app: appConnection(config.databaseUrl, config.databaseAppUrl),
      stop: async () => {},
    };
  }
  const embedded = await startEmbeddedServer({ dataDir: config.dataDir });
  const ownerUrl = embedded.url(embeddedDatabase);
  return {
    ownerUrl,
    app: appConnection(ownerUrl, undefined),
    stop: async () => {
      if (!(embedded.adopted && keepAdopted)) await embedded.stop();
    },
  };
}

/** Without a login of its own, the run-time role is taken on with the connection's first breath. */
function appConnection(ownerUrl: string, appUrl: string | undefined): Storage['appConnection'] {
  return appUrl === undefined
    ? { connectionString: ownerUrl, options: `-c role=${runtimeRole}` }
    : { connectionString: appUrl };
}

async function prepare({ ownerUrl }: Server, now: Date): Promise<string[]> {
  const owner = connect(ownerUrl, { poolSize: 2, statementTimeoutMs: null });
  try {
    await migrate(owner, ownerUrl);
    const rules = await loadRules(rulesDir);
    return await inContext(owner, 'SUPER', (trx) => installRules(trx, rules, now));
  } finally {
    await owner.destroy();
  }
}

/** A server that cannot be reached, or that lacks a right, is said in words that name the setting. */
function explainUnreachable(error: unknown): never {
  if (isDatabaseDown(error)) throw new ConfigError('DATABASE_URL: the database cannot be reached.');
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === '28P01' || code === '28000') throw new ConfigError('DATABASE_URL: the database refuses this login.');
  if (code === '3D000') throw new ConfigError('DATABASE_URL: there is no such database.');
  if (code === '42501') throw new ConfigError('DATABASE_URL: this role may not create tables and the run-time role.');
  throw error;
}

/** The second wall stands only if the run-time role can neither own tables nor bypass row-level security. */
async function refusePowerfulRole(db: Db): Promise<void> {
  const { rows } = await db.raw(`
    select r.rolsuper or r.rolbypassrls
      or exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind = 'r' and c.relowner = r.oid) as powerful
    from pg_roles r where r.rolname = current_user`);
  if (rows[0]?.powerful !== false) {
    throw new ConfigError(
      `The run-time role must not own tables or bypass row-level security; grant it ${runtimeRole} instead.`,
    );
  }
}
