// Wakes the relay when events have been committed: over Redis where there is one, else by NOTIFY in a transaction of its
// own, so that no transaction which writes has to queue for NOTIFY's one lock. A call that is lost costs a few seconds: the
// relay also looks by itself.
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Db, Trx } from './db.ts';

export interface Wake {
  /** Calls `wake` at each announcement, until what it answers is called. */
  listen(wake: () => void, postgres: PostgresConnection): () => void;
  close(): Promise<void>;
}

interface PostgresConnection {
  readonly connectionString: string;
  readonly options?: string;
}

interface WakeParts {
  readonly db: Db;
  readonly redisUrl: string | undefined;
  readonly log: Logger;
  /** Keeps several services in one Redis apart. */
  readonly prefix?: string;
}

/** At most one announcement in this time: each one wakes every relay. */
const debounceMs = 10;
const reconnectAfterMs = 1_000;

/** Commits on `db` that `eventsAppended` was told of are announced from now on. */
export function openWake({ db, redisUrl, log, prefix = 'literacy' }: WakeParts): Wake {
  const lost = (error: unknown) => log.debug({ err: error }, 'outbox announcement lost');
  if (redisUrl === undefined) {
    const announce = debounced(() => db.raw("select pg_notify('outbox', '')").catch(lost));
    announcers.set(db.client.config, announce.call);
    return { listen: (wake, postgres) => listenOnPostgres(wake, postgres, log), close: announce.settled };
  }
  const channel = `${prefix}:outbox`;
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', lost);
  const announce = debounced(() => redis.publish(channel, '').catch(lost));
  announcers.set(db.client.config, announce.call);
  const close = async () => {
    await announce.settled();
    redis.disconnect();
  };
  return { listen: (wake) => listenOnRedis(wake, redisUrl, channel, log), close };
}

/** Settings of knex by which a connection's announcer is found. */
const announcers = new WeakMap<object, () => void>();
const noted = new WeakSet<object>();

/** The transaction has written events: once it has committed the relay is woken. */
export function eventsAppended(trx: Trx): void {
  let outermost = trx;
  while (outermost.parentTransaction) outermost = outermost.parentTransaction;
  const announce = announcers.get(outermost.client.config);
  if (!announce || noted.has(outermost)) return;
  noted.add(outermost);
  outermost.executionPromise.then(announce, () => {});
}

/** The first call at once; those that come while one is under way, or shortly after it, together. */
function debounced(send: () => PromiseLike<unknown>) {
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

/** On a connection of its own, which is made again by itself. */
function listenOnPostgres(wake: () => void, connection: PostgresConnection, log: Logger): () => void {
  let client: pg.Client | undefined;
  let stopped = false;
  const connect = async () => {
    if (stopped) return;
    client = new pg.Client(connection);
    client.on('error', () => {});
    client.on('notification', wake);
    client.on('end', () => setTimeout(() => void connect(), reconnectAfterMs).unref());
    try {
      await client.connect();
      await client.query('listen outbox');
      wake();
    } catch (error) {
      log.warn({ err: error }, 'outbox listener');
      await client.end().catch(() => {});
    }
  };
  void connect();
  return () => {
    stopped = true;
    void client?.end().catch(() => {});
  };
}

/** What was announced while Redis was away is looked for when it is back. */
function listenOnRedis(wake: () => void, redisUrl: string, channel: string, log: Logger): () => void {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', (error) => log.warn({ err: error }, 'outbox listener'));
  redis.on('message', wake);
  redis.on('ready', wake);
  redis.subscribe(channel).catch((error: unknown) => log.debug({ err: error }, 'outbox listener'));
  return () => redis.disconnect();
}
