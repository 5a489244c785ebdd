// The general rate limit: how many requests one caller, or one address without a caller, may make in a minute. It uses the
// machine's clock, and PostgreSQL, or Redis with REDIS_URL. Users are counted in memory and settled in batches; addresses and
// sessions, where secrets could be guessed, are counted in the store per request.
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../db.ts';
import { AppError, unavailable } from '../errors.ts';
import { CountedWindows, withStoreTimeout } from './counted-windows.ts';
import { onPostgres, onRedis } from './stores.ts';

/**
 * How a request is decided if its limit cannot be read: `closed` where secrets could be guessed, `open` where reading must go
 * on.
 */
export type WhenLimiterDown = 'open' | 'closed';

/** The window that an address is charged to: signing in has one of its own, which a school needs in the morning. */
export type AddressClass = 'public' | 'sign-in' | 'refresh';

export interface RequestLimits {
  /** Throws RATE_LIMITED, or ENGINE_UNAVAILABLE if the store is down and `whenDown` is `closed`. */
  takeAsUser(userId: number, whenDown: WhenLimiterDown): Promise<void>;
  /** `addressHash` is a keyed hash, so that the store contains no address. */
  takeAsAddress(addressHash: string, whenDown: WhenLimiterDown, charged?: AddressClass): Promise<void>;
  /** Charges a network of addresses that one subscriber may hold, on the routes of sign-in. */
  takeAsNetwork(networkHash: string, whenDown: WhenLimiterDown): Promise<void>;
  takeAsSession(sessionId: string, whenDown: WhenLimiterDown): Promise<void>;
  close(): Promise<void>;
}

export interface LimitOptions {
  readonly db: Db;
  readonly redisUrl: string | undefined;
  readonly userPerMinute: number;
  readonly addressPerMinute: number;
  readonly log: Logger;
  /** Separates several services in one Redis. */
  readonly prefix?: string;
  /** A store that does not respond within this time counts as down. Default: one second. */
  readonly timeoutMs?: number | undefined;
}

const windowSeconds = 60;
const refreshesPerSession = 20;
/** The minimum; a higher limit of the public routes applies here too. */
const signInPerAddress = 600;
/** The limit of a network, as a multiple of the limit of one address. */
const networkFactor = 10;

/** Throws RateLimiterRes if a window is full. */
interface Limiter {
  consume(key: string): Promise<unknown>;
}

export function openLimits(options: LimitOptions): RequestLimits {
  const redis = options.redisUrl === undefined ? undefined : connectRedis(options.redisUrl, options.log);
  const limiter = (name: string, points: number): Limiter => {
    const common = commonOf(options, name, points);
    return redis === undefined ? postgresLimiter(options.db, common) : redisLimiter(redis, common);
  };
  const users = usersOf(options, redis);
  const signInPerMinute = Math.max(signInPerAddress, options.addressPerMinute);
  const addresses = {
    public: limiter('address', options.addressPerMinute),
    'sign-in': limiter('sign-in', signInPerMinute),
    refresh: limiter('refresh', signInPerMinute),
  };
  const networks = limiter('sign-in-network', networkFactor * signInPerMinute);
  const sessions = limiter('session', refreshesPerSession);
  return {
    takeAsUser: (userId, whenDown) => takeCounted(users, String(userId), whenDown),
    takeAsAddress: (addressHash, whenDown, charged = 'public') =>
      take(addresses[charged], addressHash, whenDown, options),
    takeAsNetwork: (networkHash, whenDown) => take(networks, networkHash, whenDown, options),
    takeAsSession: (sessionId, whenDown) => take(sessions, sessionId, whenDown, options),
    close: async () => {
      await users.close();
      redis?.disconnect();
    },
  };
}

interface Common {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

const commonOf = ({ prefix = 'limit' }: LimitOptions, name: string, points: number): Common => ({
  keyPrefix: `${prefix}:${name}`,
  points,
  duration: windowSeconds,
});

function usersOf(options: LimitOptions, redis: Redis | undefined): CountedWindows {
  const { db, log, userPerMinute: points } = options;
  const common = commonOf(options, 'user', points);
  return new CountedWindows({
    points,
    timeoutMs: options.timeoutMs,
    add:
      redis === undefined
        ? onPostgres(db, { prefix: common.keyPrefix, windowMs: windowSeconds * 1_000 })
        : onRedis(redisLimiter(redis, common)),
    onDown: (error) => log.warn({ err: error }, 'the store of the rate limits is unreachable'),
  });
}

/** Commands fail at once while Redis is unreachable, instead of waiting for it. */
function connectRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, { lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 1 });
  redis.on('error', (error) => log.warn({ err: error }, 'redis connection of the limiter'));
  redis.connect().catch(() => {});
  return redis;
}

const redisLimiter = (redis: Redis, common: Common) => new RateLimiterRedis({ ...common, storeClient: redis });

const postgresLimiter = (db: Db, common: Common): Limiter =>
  new RateLimiterPostgres({
    ...common,
    storeClient: unnamedStatementsOn(db),
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    clearExpiredByTimeout: true,
  });

/** Removes the names of the library's statements: behind a pooler in transaction mode the next session does not know them. */
const unnamedStatementsOn = (db: Db) => ({
  async query({ text, values }: { readonly text: string; readonly values: readonly unknown[] }): Promise<unknown> {
    const connection = await db.client.acquireConnection();
    try {
      return await connection.query({ text, values });
    } finally {
      db.client.releaseConnection(connection);
    }
  },
});

async function take(
  limiter: Limiter,
  key: string,
  whenDown: WhenLimiterDown,
  { log, timeoutMs }: LimitOptions,
): Promise<void> {
  try {
    await withStoreTimeout(limiter.consume(key), timeoutMs);
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) throw tooMany(thrown.msBeforeNext);
    log.warn({ err: thrown, whenDown }, 'the store of the rate limits is unreachable');
    if (whenDown === 'closed') throw unavailable();
  }
}

/** With `closed`, each request is counted in the store before it is admitted. */
async function takeCounted(windows: CountedWindows, key: string, whenDown: WhenLimiterDown): Promise<void> {
  const refusal = await windows.take(key, whenDown === 'closed').catch(() => {
    if (whenDown === 'closed') throw unavailable();
  });
  if (refusal !== undefined) throw tooMany(refusal);
}

const tooMany = (waitMs: number) =>
  new AppError('RATE_LIMITED', 'Too many requests; wait a moment.', {
    retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
  });
