// Saying to other processes that something has changed: over Redis where there is one, else by NOTIFY in a transaction of its
// own, so that no transaction which writes has to queue for NOTIFY's one lock.
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Db, Trx } from '../db.ts';

export interface Voice {
  /** What is lost is not said again: whoever listens looks by himself from time to time. */
  say(texts: readonly string[]): Promise<unknown>;
  close(): void;
}

interface VoiceParts {
  readonly db: Db;
  readonly redisUrl: string | undefined;
  readonly channel: string;
  readonly log: Logger;
}

export function voiceOf({ db, redisUrl, channel, log }: VoiceParts): Voice {
  const lost = (error: unknown) => log.debug({ err: error, channel }, 'announcement lost');
  if (redisUrl === undefined) {
    const statement = 'select pg_notify(?, text) from unnest(?::text[]) t (text)';
    return { say: async (texts) => db.raw(statement, [channel, [...texts]]).catch(lost), close: () => {} };
  }
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', lost);
  return {
    say: async (texts) => Promise.all(texts.map((text) => redis.publish(channel, text))).catch(lost),
    close: () => redis.disconnect(),
  };
}

/** At most one announcement in this time: each one wakes all who listen. */
const debounceMs = 10;

/** The first call at once; those that come while one is under way, or shortly after it, together. */
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

export function outermostOf(trx: Trx): Trx {
  let outermost = trx;
  while (outermost.parentTransaction) outermost = outermost.parentTransaction;
  return outermost;
}
