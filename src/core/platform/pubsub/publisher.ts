// Publishes messages to other processes: over Redis where it is configured, else by NOTIFY in a transaction of its own, so that
// no writing transaction has to queue for NOTIFY's single lock.
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Db, Trx } from '../db.ts';

export interface Publisher {
  /** A message that is lost is not repeated: subscribers also read the current state at intervals. */
  publish(messages: readonly string[]): Promise<unknown>;
  close(): void;
}

interface PublisherParts {
  readonly db: Db;
  readonly redisUrl: string | undefined;
  readonly channel: string;
  readonly log: Logger;
}

export function createPublisher({ db, redisUrl, channel, log }: PublisherParts): Publisher {
  const lost = (error: unknown) => log.debug({ err: error, channel }, 'message lost');
  if (redisUrl === undefined) {
    const statement = 'select pg_notify(?, text) from unnest(?::text[]) t (text)';
    return { publish: async (messages) => db.raw(statement, [channel, [...messages]]).catch(lost), close: () => {} };
  }
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', lost);
  return {
    publish: async (messages) => Promise.all(messages.map((text) => redis.publish(channel, text))).catch(lost),
    close: () => redis.disconnect(),
  };
}

/** At most one call of `send` begins in this time: each message wakes all subscribers. */
const debounceMs = 10;

/** The first call sends at once; calls during a send, or shortly after it, are sent together. */
export function debounced(send: () => PromiseLike<unknown>) {
  let [underWay, again] = [Promise.resolve(), false];
  let isIdle = true;
  const run = async () => {
    do {
      again = false;
      await send();
      await new Promise((resolve) => setTimeout(resolve, debounceMs).unref());
    } while (again);
    isIdle = true;
  };
  return {
    call() {
      again = true;
      if (!isIdle) return;
      isIdle = false;
      underWay = run();
    },
    settled: () => underWay,
  };
}

/** Returns the transaction that contains `trx` and all its savepoints. */
export function outermostOf(trx: Trx): Trx {
  let outermost = trx;
  while (outermost.parentTransaction) outermost = outermost.parentTransaction;
  return outermost;
}
