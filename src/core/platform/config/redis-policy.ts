// A Redis that may evict keys loses jobs silently, so production does not start with one.
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { ConfigError } from './settings.ts';

const timeoutMs = 5_000;
const safePolicy = 'noeviction';

/** Throws ConfigError in production if the policy is another one or cannot be read; elsewhere it logs a warning. */
export async function refuseEviction({ redisUrl, production }: Config, log: Logger): Promise<void> {
  if (redisUrl === undefined) return;
  const policy = await policyOf(redisUrl);
  if (policy === safePolicy) return;
  const line =
    policy === undefined
      ? 'REDIS_URL: the store cannot be reached, or does not report its eviction policy.'
      : `REDIS_URL: the store's maxmemory-policy must be ${safePolicy}; with another one jobs are lost.`;
  if (production) throw new ConfigError(line);
  log.warn({ policy }, line);
}

/** Returns undefined if the store cannot be reached or does not report its policy. */
async function policyOf(url: string): Promise<string | undefined> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
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
