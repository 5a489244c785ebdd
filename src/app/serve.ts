// Starts what `npm start` serves: storage, rules, API and, outside production, workers.
import type { Logger } from 'pino';
import {
  makeLedgerYears,
  openOperationsPort,
  reportProcess,
  untilReady,
  watchAll,
} from '#backoffice/operations/index.ts';
import { addressOf, drain, listen } from '#core/http/server/server.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Config } from '#core/platform/config/config.ts';
import { ConfigError } from '#core/platform/config/settings.ts';
import type { Secrets } from '#core/platform/keys/secrets.ts';
import { appVersion } from '#core/platform/migrations/schema-version.ts';
import type { Stopping } from '#core/platform/process/stopping.ts';
import { openQueues } from '#core/platform/queue/queue.ts';
import { startWorkers } from '../../workers/start.ts';
import { createApp, createServices } from './app.ts';
import type { DatabaseServer } from './database-server.ts';
import { prepareDemo } from './demo/index.ts';
import { refuseUnsafeStart } from './start-refusals.ts';
import { openStorage } from './storage.ts';

export interface Input {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Logger;
  /** The database server, which is already starting. */
  readonly begun: Promise<DatabaseServer>;
}

/** Returns the line with the address of the service. */
export async function serve({ config, secrets, clock, log, begun }: Input, stopping: Stopping): Promise<string> {
  const storage = await openStorage(config, clock.now(), { log }, begun);
  stopping.add('connections', 'database connections', storage.disconnect);
  stopping.add('database', 'embedded PostgreSQL', storage.stopServer);
  if (storage.displacedTo !== undefined) {
    const why = 'the account that PostgreSQL runs as cannot reach DATA_DIR';
    process.stdout.write(`The database is in ${storage.displacedTo}, which may be emptied at any time: ${why}\n`);
  }
  for (const id of storage.refusedRules)
    log.warn({ id }, 'a shipped rule version stays out: its number was taken here');
  await refuseUnsafeStart(config, storage.db, log);
  const queues = openQueues({ log, redisUrl: config.redisUrl, postgres: storage.appConnection });
  stopping.add('queue', 'queues', queues.close);
  const checks = { queue: queues.ping };
  const services = createServices({
    config,
    secrets,
    clock,
    db: storage.db,
    reserve: storage.reserve,
    log,
    readinessChecks: checks,
    queueState: queues.state,
  });
  stopping.add('queue', 'limits', services.limits.close);
  stopping.add('queue', 'threads', () => services.chunkThreads.stop());
  stopping.add('queue', 'live threads', () => services.liveThreads.stop());
  stopping.add('queue', 'relay wake-up', services.relayWakeup.close);
  stopping.add('work', 'notification streams', () => services.notificationStreams.close());
  stopping.add('queue', 'security events', services.securityEvents.settled);
  watchAll(services, queues);
  // The first round of checks opens connections while routes are made.
  void services.readiness();
  stopping.add('work', 'operations port', await openOperationsPort(config.operations, services));
  // Failures are logged, and the schedule retries.
  await makeLedgerYears(services).catch(() => {});
  if (config.seedDemo) await prepareDemo(services, (text) => process.stdout.write(text));
  const server = await listen(createApp(services, log), config.port, config.host, log).catch(explainPort);
  stopping.add('work', 'HTTP server', () => drain(server));
  stopping.add('work', 'process report', reportProcess({ ...services, role: roleOf(config), version: appVersion }));
  await untilReady(services.readiness);
  if (config.workers === 'embedded') {
    const workers = startWorkers({ services, queues, postgres: storage.appConnection, log });
    stopping.add('work', 'workers', workers.stop);
  }
  const address = addressOf(server, config.host);
  storage.announce(address);
  return `Literacy service is ready at ${address}`;
}

const roleOf = ({ workers }: Config) => (workers === 'embedded' ? 'both' : 'api');

function explainPort(error: NodeJS.ErrnoException): never {
  throw error.code === 'EADDRINUSE' ? new ConfigError('PORT is already in use; set another one.') : error;
}
