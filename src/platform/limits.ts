// The general rate limit: how many requests one caller, or one address without a caller, may make in a minute. It runs
// on the machine's clock, on PostgreSQL by default and on Redis with REDIS_URL.
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from './db.ts';
import { AppError, unavailable } from './errors.ts';

/** What becomes of a request whose limit cannot be asked: guessing must stay limited, reading must go on. */
export type WhenLimiterDown = 'open' | 'closed';

/** What an address is counted for: signing in has a window of its own, which a school needs in the morning. */
export type AddressClass = 'public' | 'sign-in' | 'refresh';

export interface RequestLimits {
  /** Throws RATE_LIMITED; or ENGINE_UNAVAILABLE where the store is down and `whenDown` is `closed`. */
  takeAsUser(userId: number, whenDown: WhenLimiterDown): Promise<void>;
  /** `addressHash`: keyed, so that the store holds no address. */
  takeAsAddress(addressHash: string, whenDown: WhenLimiterDown, charged?: AddressClass): Promise<void>;
  takeAsSession(sessionId: string, whenDown: WhenLimiterDown): Promise<void>;
  close(): Promise<void>;
}

export interface LimitOptions {
  readonly db: Db;
  readonly redisUrl: string | undefined;
  readonly userPerMinute: number;
  readonly addressPerMinute: number;
  readonly log: Logger;
  /** Keeps several services in one Redis apart. */
  readonly prefix?: string;
}

const windowSeconds = 60;
const refreshesPerSession = 20;
/** At least; a higher limit for all public routes holds here too. */
const signInPerAddress = 600;
/** A store that says nothing for this long is down: a request must not wait for its limit. */
const patienceMs = 1_000;

interface Limiter {
  consume(key: string): Promise<unknown>;
}

export function openLimits(options: LimitOptions): RequestLimits {
  const redis = options.redisUrl === undefined ? undefined : connectRedis(options.redisUrl, options.log);
  const limiter = (name: string, points: number) => {
    const common = { keyPrefix: `${options.prefix ?? 'limit'}:${name}`, points, duration: windowSeconds };
    return redis === undefined
      ? onPostgres(options.db, common)
      : new RateLimiterRedis({ ...common, storeClient: redis });
  };
  const users = limiter('user', options.userPerMinute);
  const signInPerMinute = Math.max(signInPerAddress, options.addressPerMinute);
  const addresses = {
    public: limiter('address', options.addressPerMinute),
    'sign-in': limiter('sign-in', signInPerMinute),
    refresh: limiter('refresh', signInPerMinute),
  };
  const sessions = limiter('session', refreshesPerSession);
  return {
    takeAsUser: (userId, whenDown) => take(users, String(userId), whenDown, options.log),
    takeAsAddress: (addressHash, whenDown, charged = 'public') =>
      take(addresses[charged], addressHash, whenDown, options.log),
    takeAsSession: (sessionId, whenDown) => take(sessions, sessionId, whenDown, options.log),
    close: async () => redis?.disconnect(),
  };
}

/** Commands fail at once while Redis is away, instead of waiting for it to come back. */
function connectRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, { lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 1 });
  redis.on('error', (error) => log.warn({ err: error }, 'redis connection of the limiter'));
  redis.connect().catch(() => {});
  return redis;
}

const onPostgres = (db: Db, common: { keyPrefix: string; points: number; duration: number }): Limiter =>
  new RateLimiterPostgres({
    ...common,
    storeClient: db,
    storeType: 'knex',
    tableName: 'rate_limit',
    tableCreated: true,
    clearExpiredByTimeout: true,
  });

async function take(limiter: Limiter, key: string, whenDown: WhenLimiterDown, log: Logger): Promise<void> {
  try {
    await withPatience(limiter.consume(key));
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) throw tooMany(refusal.msBeforeNext);
    log.warn({ err: refusal, whenDown }, 'the limiter cannot be asked');
    if (whenDown === 'closed') throw unavailable();
  }
}

function withPatience(answer: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), patienceMs);
  });
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}

const tooMany = (waitMs: number) =>
  new AppError('RATE_LIMITED', 'Too many requests; wait a moment.', {
    retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
  });
