// `npm run worker`: background work without an API, as many processes as wanted beside the API processes.
import { createServices } from '../src/app.ts';
import { systemClock } from '../src/platform/clock.ts';
import { readConfig } from '../src/platform/config.ts';
import { createLogger } from '../src/platform/logger.ts';
import { openQueues } from '../src/platform/queue.ts';
import { loadSecrets } from '../src/platform/secrets.ts';
import { openStorage } from '../src/storage.ts';
import { startWorkers } from './start.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const clock = systemClock(config.clockOffsetFile);
  const log = createLogger(config.logLevel);
  const storage = await openStorage(config, clock.now(), { keepAdopted: true });
  const queues = openQueues({ log, redisUrl: config.redisUrl, postgres: storage.appConnection });
  const services = createServices({ config, secrets: loadSecrets(config), clock, db: storage.db, log });
  const workers = startWorkers({ services, queues, postgres: storage.appConnection, log });
  process.stdout.write('Workers are running\n');
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await workers.stop();
    await queues.close();
    await services.limits.close();
    await storage.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
}

await main().catch((error: unknown) => {
  process.stderr.write(`Cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
