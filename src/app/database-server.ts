// Finds the configured PostgreSQL or starts the embedded one. It has few imports, because a start begins with it and
// loads the rest of the service meanwhile.
import type { Logger } from 'pino';
import type { Config } from '#core/platform/config/config.ts';
import { type Db, runtimeRole } from '#core/platform/db.ts';
import { useFolder } from '#core/platform/postgres/folder.ts';
import { type EmbeddedServer, startEmbeddedServer } from '#core/platform/postgres/launcher.ts';
import { enablePlatformLogin, enableRuntimeLogin } from '#core/platform/postgres/login.ts';

export interface DatabaseServerOptions {
  readonly log: Logger;
  /**
   * Set for a worker beside `npm start`: it shares the folder and the embedded server, and leaves the server running.
   */
  readonly beside?: boolean;
}

const embeddedDatabase = 'postgres';

export interface DatabaseServer {
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** The role that the login switches to, when the role has no login of its own. */
  readonly actAs: string | undefined;
  readonly displacedTo?: string | undefined;
  /** Enables the login of the run-time role, after migrations have created it. */
  prepareLogin(owner: Db): Promise<void>;
  /** Enables the login of the platform role beside it. */
  preparePlatformLogin(owner: Db): Promise<void>;
  announce(address: string): void;
  stop(): Promise<void>;
}

export const findServer = (config: Config, options: DatabaseServerOptions): Promise<DatabaseServer> =>
  config.databaseUrl === undefined ? embedded(config, options) : Promise.resolve(configured(config));

/** Without a login of its own, the run-time role is set at the start of each connection. */
function configured({ databaseUrl = '', databaseAppUrl }: Config): DatabaseServer {
  return {
    ownerUrl: databaseUrl,
    appUrl: databaseAppUrl ?? databaseUrl,
    actAs: databaseAppUrl === undefined ? runtimeRole : undefined,
    prepareLogin: async () => {},
    preparePlatformLogin: async (owner) => {
      if (databaseAppUrl !== undefined) await enablePlatformLogin(owner, databaseAppUrl);
    },
    announce: () => {},
    stop: async () => {},
  };
}

async function embedded({ dataDir }: Config, { log, beside = false }: DatabaseServerOptions): Promise<DatabaseServer> {
  const folder = useFolder(dataDir, beside);
  const onDeath = (event: string, error?: unknown) => log.warn({ err: error }, event);
  const start = startEmbeddedServer({ dataDir, ...(!beside && { onDeath }) });
  const server = await start.catch((error: unknown) => {
    folder.release();
    throw error;
  });
  const appUrl = server.appUrl(embeddedDatabase, runtimeRole);
  return {
    ownerUrl: server.url(embeddedDatabase),
    appUrl,
    actAs: undefined,
    displacedTo: server.displacedTo,
    prepareLogin: (owner) => enableRuntimeLogin(owner, server.appPassword),
    preparePlatformLogin: (owner) => enablePlatformLogin(owner, appUrl),
    announce: folder.announce,
    stop: () => (beside && (server.adopted || folder.isServed()) ? server.leave() : stop(server, folder)),
  };
}

async function stop(server: EmbeddedServer, folder: { release(): void }): Promise<void> {
  await server.stop();
  folder.release();
}
