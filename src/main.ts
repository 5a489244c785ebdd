// `npm start`: one process; one line says where it answers. PostgreSQL starts while the service is loaded.
import type { Logger } from 'pino';
import { findServer } from '#app/database-server.ts';
import { systemClock } from '#core/platform/clock.ts';
import type { Config } from '#core/platform/config/config.ts';
import { loadSecrets } from '#core/platform/keys/secrets.ts';
import { runProcess } from '#core/platform/process/process.ts';
import type { Stopping } from '#core/platform/process/stopping.ts';

async function start(config: Config, log: Logger, stopping: Stopping): Promise<string> {
  const secrets = loadSecrets(config);
  const clock = systemClock(config.clockOffsetFile);
  const begun = findServer(config, { log });
  // The function that opens the storage logs why it failed.
  begun.catch(() => {});
  const { serve } = await import('#app/serve.ts');
  return serve({ config, secrets, clock, log, begun }, stopping);
}

await runProcess(start);
