// Finds or starts the PostgreSQL that this process works with, and brings it to the schema of this version.
import path from 'node:path';
import type { Logger } from 'pino';
import { type Config, ConfigError } from './platform/config/config.ts';
import { connect, type Db, isDatabaseDown, runtimeRole, runtimeSession, sessionOptions } from './platform/db.ts';
import { migrate } from './platform/migrate.ts';
import { useFolder } from './platform/postgres/folder.ts';
import { type EmbeddedServer, startEmbeddedServer } from './platform/postgres/launcher.ts';
import { letRuntimeRoleLogIn } from './platform/postgres/login.ts';
import { refusePowerfulLogin } from './platform/postgres/powerful.ts';
import { installRules, loadRules } from './rulesets/index.ts';

/** Settings of the driver for a login that row-level security binds. */
export interface AppConnection {
  readonly connectionString: string;
  readonly options: string;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

export interface Storage {
  /** Connections of the run-time role. */
  readonly db: Db;
  /** The same login for the queue and for LISTEN. */
  readonly appConnection: AppConnection;
  /** Shipped rule versions that stayed out, because the backoffice has published others under their numbers. */
  readonly rulesKeptOut: readonly string[];
  /** Where the embedded server keeps its data, when DATA_DIR is closed to its account. */
  readonly displacedTo: string | undefined;
  /** Tells others who want the same folder where we answer. */
  announce(address: string): void;
  disconnect(): Promise<void>;
  /** Stops the embedded server where this process is responsible for it. */
  stopServer(): Promise<void>;
  /** Both, one after the other. */
  close(): Promise<void>;
}

export interface StorageOptions {
  readonly log: Logger;
  /** A worker beside `npm start`: shares its folder and its embedded server, and leaves it running. */
  readonly beside?: boolean;
}

const rulesDir = path.resolve(import.meta.dirname, '../rules');
const embeddedDatabase = 'postgres';

interface Server {
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** The role that the login takes on, where it has no login of its own. */
  readonly actAs: string | undefined;
  readonly displacedTo?: string | undefined;
  /** Lets the run-time role log in, once migrations have made it. */
  prepareLogin(owner: Db): Promise<void>;
  announce(address: string): void;
  stop(): Promise<void>;
}

export async function openStorage(config: Config, now: Date, options: StorageOptions): Promise<Storage> {
  const server = config.databaseUrl === undefined ? await embedded(config, options) : configured(config);
  try {
    const rulesKeptOut = await prepare(server, now).catch(explainUnreachable);
    const { appUrl, actAs } = server;
    const db = connect(appUrl, { poolSize: config.dbPoolSize, ...(actAs !== undefined && { actAs }) });
    await refusePowerfulLogin(db, { maySayOnly: actAs !== undefined && !config.production, log: options.log });
    const disconnect = () => db.destroy();
    return {
      db,
      appConnection: { connectionString: appUrl, options: sessionOptions(actAs), ...runtimeSession },
      rulesKeptOut,
      displacedTo: server.displacedTo,
      announce: server.announce,
      disconnect,
      stopServer: server.stop,
      close: () => disconnect().then(server.stop),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Without a login of its own, the run-time role is taken on with the connection's first breath. */
function configured({ databaseUrl = '', databaseAppUrl }: Config): Server {
  return {
    ownerUrl: databaseUrl,
    appUrl: databaseAppUrl ?? databaseUrl,
    actAs: databaseAppUrl === undefined ? runtimeRole : undefined,
    prepareLogin: async () => {},
    announce: () => {},
    stop: async () => {},
  };
}

async function embedded({ dataDir }: Config, { log, beside = false }: StorageOptions): Promise<Server> {
  const folder = useFolder(dataDir, beside);
  const onDeath = (event: string, error?: unknown) => log.warn({ err: error }, event);
  const start = startEmbeddedServer({ dataDir, ...(!beside && { onDeath }) });
  const server = await start.catch((error: unknown) => {
    folder.giveBack();
    throw error;
  });
  return {
    ownerUrl: server.url(embeddedDatabase),
    appUrl: server.appUrl(embeddedDatabase, runtimeRole),
    actAs: undefined,
    displacedTo: server.displacedTo,
    prepareLogin: (owner) => letRuntimeRoleLogIn(owner, server.appPassword),
    announce: folder.announce,
    stop: () => (beside && (server.adopted || folder.isServed()) ? server.leave() : stop(server, folder)),
  };
}

async function stop(server: EmbeddedServer, folder: { giveBack(): void }): Promise<void> {
  await server.stop();
  folder.giveBack();
}

async function prepare({ ownerUrl, prepareLogin }: Server, now: Date): Promise<string[]> {
  const owner = connect(ownerUrl, { poolSize: 2, statementTimeoutMs: null, asOwner: true });
  try {
    await migrate(owner, ownerUrl);
    await prepareLogin(owner);
    const rules = await loadRules(rulesDir);
    return await owner.transaction((trx) => installRules(trx, rules, now));
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
