// `npm start`: storage, rules, API and (outside production) workers in one process; one line says where it answers.
import type { Server } from 'node:http';
import { startWorkers, type Workers } from '../workers/start.ts';
import { createApp, createServices } from './app.ts';
import { prepareDemo } from './demo/index.ts';
import { systemClock } from './platform/clock.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { createLogger } from './platform/logger.ts';
import { openQueues } from './platform/queue.ts';
import { loadSecrets } from './platform/secrets.ts';
import { openStorage } from './storage.ts';

interface Running {
  readonly address: string;
  stop(): Promise<void>;
}

async function start(config: Config): Promise<Running> {
  const secrets = loadSecrets(config);
  const clock = systemClock(config.clockOffsetFile);
  const log = createLogger(config.logLevel);
  const storage = await openStorage(config, clock.now());
  for (const id of storage.rulesKeptOut)
    log.warn({ id }, 'a shipped rule version stays out: its number was taken here');
  const queues = openQueues({ log, redisUrl: config.redisUrl, postgres: storage.appConnection });
  const services = createServices({
    config,
    secrets,
    clock,
    db: storage.db,
    log,
    readinessChecks: { queue: queues.ping },
  });
  let workers: Workers | undefined;
  let server: Server | undefined;
  const stop = async () => {
    await closeServer(server);
    await workers?.stop();
    await queues.close();
    await services.limits.close();
    await services.securityEvents.settled();
    await storage.close();
  };
  try {
    if (config.seedDemo) await prepareDemo(services, (text) => process.stdout.write(text));
    server = await listen(createApp(services, log).listen(config.port, config.host));
    if (config.workers === 'embedded') {
      workers = startWorkers({ services, queues, postgres: storage.appConnection, log });
    }
    return { address: addressOf(server, config), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A request must arrive within half a minute; a connection that says nothing is not kept. */
function listen(server: Server): Promise<Server> {
  server.requestTimeout = 30_000;
  server.headersTimeout = 15_000;
  return new Promise((resolve, reject) => {
    server.once('listening', () => resolve(server));
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new ConfigError('PORT is already in use; set another one.') : error),
    );
  });
}

function addressOf(server: Server, config: Config): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
}

/** Requests under way are answered; idle connections end. */
function closeServer(server: Server | undefined): Promise<void> {
  if (!server?.listening) return Promise.resolve();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

function refuse(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Cannot start: ${message}\n`);
  process.exit(1);
}

const startFrom = async (environment: NodeJS.ProcessEnv) => start(readConfig(environment));

async function main(): Promise<void> {
  const running = await startFrom(process.env).catch(refuse);
  process.stdout.write(`Literacy service is ready at ${running.address}\n`);
  let stopping = false;
  const stopOnce = () => {
    if (stopping) return;
    stopping = true;
    running.stop().then(() => process.exit(0), refuse);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOnce);
}

await main();
