// A Redis that may evict keys loses jobs without a word: production does not start on one.
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { ConfigError } from './settings.ts';

const patienceMs = 5_000;
const safePolicy = 'noeviction';

/** Throws ConfigError in production where the policy is another one or cannot be asked; elsewhere a line in the log. */
export async function refuseEviction({ redisUrl, production }: Config, log: Logger): Promise<void> {
  if (redisUrl === undefined) return;
  const policy = await policyOf(redisUrl);
  if (policy === safePolicy) return;
  const line =
    policy === undefined
      ? 'REDIS_URL: the store cannot be reached, or does not tell its eviction policy.'
      : `REDIS_URL: the store's maxmemory-policy must be ${safePolicy}; with another one jobs are lost.`;
  if (production) throw new ConfigError(line);
  log.warn({ policy }, line);
}

/** undefined where the store cannot be reached or does not say. */
async function policyOf(url: string): Promise<string | undefined> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1];
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}
