// Brings PostgreSQL to the schema and the rules of this version.
import path from 'node:path';
import type { Config } from '#core/platform/config/config.ts';
import { ConfigError } from '#core/platform/config/settings.ts';
import { sessionOptions } from '#core/platform/connections/session.ts';
import { connect, type Db, isDatabaseDown } from '#core/platform/db.ts';
import { migrate } from '#core/platform/migrations/migrate.ts';
import { printRolesHint } from '#core/platform/postgres/login.ts';
import { type LoginPolicy, requireUnprivilegedLogin } from '#core/platform/postgres/require-unprivileged-login.ts';
import { runtimeSession } from '#core/platform/timeouts.ts';
import { documentValidators, type LoadedRule, loadRules } from '#rules/rulesets/index.ts';
import { capabilities } from './capabilities.ts';
import { type DatabaseServer, type DatabaseServerOptions, findServer } from './database-server.ts';
import { install } from './install.ts';

/** Driver settings for a login that row-level security restricts. */
export interface AppConnection {
  readonly connectionString: string;
  readonly options: string;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

export interface Storage {
  /** Connections of the run-time role. */
  readonly db: Db;
  /** A second pool for rate limits, sign-in, refresh and readiness, in addition to DB_POOL_SIZE. */
  readonly reserve: Db;
  /** The same login for the queue and LISTEN, bypassing a pooler. */
  readonly appConnection: AppConnection;
  /** Shipped rule versions that were not installed, because other rules were published under their numbers. */
  readonly refusedRules: readonly string[];
  /** Data folder of the embedded server when its account cannot use DATA_DIR. */
  readonly displacedTo: string | undefined;
  /** Publishes the address for other processes of the same folder. */
  announce(address: string): void;
  disconnect(): Promise<void>;
  /** Stops the embedded server if this process is responsible for it. */
  stopServer(): Promise<void>;
  /** Disconnects, then stops the server. */
  close(): Promise<void>;
}

/** Two connections in all, one of each login; their statements take a millisecond or two. */
const reserveOf = (actAs: string | undefined) => (actAs === undefined ? 1 : 2);

const rulesDir = path.resolve(import.meta.dirname, '../../rules');

/** `begun` is a server that is already starting. Rules are read meanwhile. */
export async function openStorage(
  config: Config,
  now: Date,
  options: DatabaseServerOptions,
  begun: Promise<DatabaseServer> = findServer(config, options),
): Promise<Storage> {
  const [found, rules] = await Promise.allSettled([begun, loadRules(rulesDir, documentValidators(capabilities))]);
  if (found.status === 'rejected') throw found.reason;
  const server = found.value;
  try {
    if (rules.status === 'rejected') throw rules.reason;
    const { appUrl, actAs } = server;
    const pooled = config.databaseListenUrl !== undefined;
    const role = { pooled, ...(actAs !== undefined && { actAs }) };
    const db = connect(appUrl, { poolSize: config.dbPoolSize, ...role });
    const reserve = connect(appUrl, { poolSize: reserveOf(actAs), ...role });
    const disconnect = async () => void (await Promise.all([db.destroy(), reserve.destroy()]));
    const loginPolicy = { warnOnly: actAs !== undefined && !config.production, log: options.log };
    const refusedRules = await prepare(server, db, { rules: rules.value, now, loginPolicy }).catch(
      async (error: unknown) => {
        await disconnect();
        throw error;
      },
    );
    return {
      db,
      reserve,
      appConnection: {
        connectionString: config.databaseListenUrl ?? appUrl,
        options: sessionOptions(actAs),
        ...runtimeSession,
      },
      refusedRules,
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

interface Preparing {
  readonly rules: readonly LoadedRule[];
  readonly now: Date;
  readonly loginPolicy: LoginPolicy;
}

/** Migrates as the owner of the tables, then checks that the login of `db` has the required privileges and no more. */
async function prepare(server: DatabaseServer, db: Db, { rules, now, loginPolicy }: Preparing): Promise<string[]> {
  const owner = connect(server.ownerUrl, { poolSize: 2, statementTimeoutMs: null, asOwner: true });
  const asOwner = explained('DATABASE_URL');
  try {
    await migrate(owner, server.ownerUrl).catch(asOwner);
    await server.prepareLogin(owner).catch(asOwner);
    await requireUnprivilegedLogin(db, loginPolicy).catch(explained('DATABASE_APP_URL'));
    await server.preparePlatformLogin(owner).catch(explained('DATABASE_APP_URL'));
    return await owner.transaction((trx) => install(trx, rules, now)).catch(asOwner);
  } finally {
    await owner.destroy();
  }
}

/** Maps connection and privilege errors to messages that name the setting. */
const explained =
  (setting: 'DATABASE_URL' | 'DATABASE_APP_URL') =>
  (error: unknown): never => {
    if (isDatabaseDown(error)) throw new ConfigError(`${setting}: the database cannot be reached.`);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === '28P01' || code === '28000') throw new ConfigError(`${setting}: the database refuses this login.`);
    if (code === '3D000') throw new ConfigError(`${setting}: there is no such database.`);
    if (code === '42501')
      throw new ConfigError(`${setting}: this role may not create tables and the run-time role; ${printRolesHint}.`);
    throw error;
  };
