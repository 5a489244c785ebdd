// Runs the real service on a free port, on the test file's own database, with a clock that the test controls.
import type { Test } from 'uvu';
import { type AppParts, createApp, createServices } from '#app/app.ts';
import type { Services } from '#core/module/services.ts';
import type { Config } from '#core/platform/config/config.ts';
import { readConfig } from '#core/platform/config/read-config.ts';
import type { Secrets } from '#core/platform/keys/secrets.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { clientTimeouts, longQueue } from '../../scripts/test/timeouts.ts';
import { noQueues } from '../workers/support.ts';
import { ManualClock } from './clock.ts';
import { type DatabaseOptions, type TestDatabase, useDatabase } from './database.ts';
import { type HttpClient, httpClient } from './fetch.ts';
import { useHashCost } from './passwords.ts';
import { installShippedRules } from './rules.ts';
import { type ListeningServer, listen } from './server.ts';
import { auditOracle } from './statements/audit-oracle.ts';
import { checkDescribed } from './statements/described-statuses.ts';
import { watchLocks } from './statements/lock-order.ts';
import { watchStatements } from './statements/statements.ts';
import './statements/transactions.ts';

export interface TestApp extends HttpClient {
  /** Base URL of the service. */
  readonly url: () => string;
  readonly clock: ManualClock;
  readonly database: TestDatabase;
  /** The services of handlers, for preparing data and for calling jobs directly. */
  readonly services: Services;
}

export interface AppOptions extends DatabaseOptions {
  /** Environment variables besides those of the database. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Puts the shipped rules in force first. Default: none are in force. */
  readonly rules?: boolean;
  /** The test sends statements of its own as the run-time role. They need not name the organization. */
  readonly ownStatements?: boolean;
  /** The test adds or removes audit entries itself. They are not compared with the changes. */
  readonly ownEntries?: boolean;
  /** The test is about how many requests of one person are queued, and for how long. Default: no limits. */
  readonly servedQueue?: boolean;
  /** The test serves routes of its own, whose responses are not compared with the API description. */
  readonly ownRoutes?: boolean;
  /** The test is about the time of password hashing. Default: hashing at low cost. */
  readonly fullHashCost?: boolean;
  /** Recordings, and the item bank of new sessions. Default: what is shipped. */
  readonly content?: AppParts['content'];
  /** HTTP client for learning platforms. Default: as configured, without pauses between retries. */
  readonly lmsClient?: AppParts['lmsClient'];
  /** Default: all queues are empty. */
  readonly queueState?: AppParts['queueState'];
  /** Default: all capabilities of the service. */
  readonly capabilities?: AppParts['capabilities'];
}

/** Keys of the test service, which protect nothing. */
const secrets: Secrets = {
  tokenSigningSeeds: [Buffer.alloc(32, 1)],
  tokenEncryptionKeys: [Buffer.alloc(32, 2)],
  ipHashSalt: 'test',
};

/** Starts the service before the file's first test and stops it after the last. */
export function useApp<Context>(test: Test<Context>, options: AppOptions = {}): TestApp {
  useHashCost(test, options.fullHashCost);
  // The limit store receives the last requests before its connections are closed.
  test.after(() => services.limits.close());
  test.after(() => services.liveThreads.stop());
  test.after(() => services.relayWakeup.close());
  test.after(() => services.notificationStreams.close());
  // Runs before the connections close.
  test.after(() => (options.ownStatements ? undefined : watch.check(database.owner)));
  test.after(() => lockWatch.check(database.owner));
  test.after(() => (options.ownEntries ? undefined : oracle.check()));
  test.after(() => (options.ownRoutes ? undefined : checkDescribed(services)));
  const database = useDatabase(test, options);
  const connections = [database.app, database.reserve];
  const watch = watchStatements(connections);
  const lockWatch = watchLocks(connections);
  const clock = new ManualClock();
  const config = configOf(database, options);
  const log = createLogger(config.logLevel);
  const services = createServices({
    config,
    secrets: { ...secrets, ipHashSalt: config.ipHashSalt ?? secrets.ipHashSalt },
    clock,
    db: database.app,
    reserve: database.reserve,
    log,
    timeouts: clientTimeouts,
    queueState: options.queueState ?? noQueues.state,
    ...(!options.servedQueue && { concurrencyLimits: longQueue }),
    lmsClient: { pause: async () => {}, ...options.lmsClient },
    ...(options.content && { content: options.content }),
    ...(options.capabilities && { capabilities: options.capabilities }),
  });
  const oracle = auditOracle(database.owner, services.capabilities);
  let server: ListeningServer | undefined;
  test.before(async () => {
    if (!options.ownEntries) await oracle.install();
    if (options.rules) await installShippedRules(database.owner);
    server = await listen(createApp(services, log));
  });
  test.after(async () => {
    await server?.close();
  });
  const url = () => server?.url ?? notStarted();
  return { ...httpClient(url), url, clock, database, services };
}

function configOf(database: TestDatabase, { settings = {} }: AppOptions): Config {
  return readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.ownerUrl,
    DATABASE_APP_URL: database.appUrl,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...settings,
  });
}

function notStarted(): never {
  throw new Error('The service starts before the first test; requests belong inside tests.');
}
