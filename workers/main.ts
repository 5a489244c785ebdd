// `npm run worker`: background work without an API, as many processes as wanted beside the API processes.
import type { Logger } from 'pino';
import { createServices } from '#app/app.ts';
import { openStorage } from '#app/storage.ts';
import { openOperationsPort, reportProcess, untilReady, watchAll } from '#backoffice/operations/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import type { Config } from '#core/platform/config/config.ts';
import { refuseEviction } from '#core/platform/config/redis-policy.ts';
import { loadSecrets } from '#core/platform/keys/secrets.ts';
import { appVersion } from '#core/platform/migrations/schema-version.ts';
import { runProcess } from '#core/platform/process/process.ts';
import type { Stopping } from '#core/platform/process/stopping.ts';
import { openQueues } from '#core/platform/queue/queue.ts';
import { startWorkers } from './start.ts';

async function start(config: Config, log: Logger, stopping: Stopping): Promise<string> {
  const secrets = loadSecrets(config);
  const clock = systemClock(config.clockOffsetFile);
  const storage = await openStorage(config, clock.now(), { log, beside: true });
  stopping.add('connections', 'database connections', storage.disconnect);
  stopping.add('database', 'embedded PostgreSQL', storage.stopServer);
  await refuseEviction(config, log);
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
  stopping.add('queue', 'relay wake-up', services.relayWakeup.close);
  watchAll(services, queues);
  stopping.add('work', 'operations port', await openOperationsPort(config.operations, services));
  const workers = startWorkers({ services, queues, postgres: storage.appConnection, log });
  stopping.add('work', 'workers', workers.stop);
  stopping.add('work', 'process report', reportProcess({ ...services, role: 'worker', version: appVersion }));
  await untilReady(services.readiness);
  return 'Workers are running';
}

await runProcess(start);
