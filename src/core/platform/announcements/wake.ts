// Wakes the relay when events have been committed. A call that is lost costs a few seconds: the relay also looks by itself.
import type { Logger } from 'pino';
import type { Db, Trx } from '../db.ts';
import { listenOnPostgres, listenOnRedis, type PostgresConnection } from './listen.ts';
import { debounced, outermostOf, voiceOf } from './speak.ts';

export interface Wake {
  /** Calls `wake` at each announcement, until what it answers is called. */
  listen(wake: () => void, postgres: PostgresConnection): () => void;
  close(): Promise<void>;
}

interface WakeParts {
  readonly db: Db;
  readonly redisUrl: string | undefined;
  readonly log: Logger;
  /** Keeps several services in one Redis apart. */
  readonly prefix?: string;
}

/** Commits on `db` that `eventsAppended` was told of are announced from now on. */
export function openWake({ db, redisUrl, log, prefix = 'literacy' }: WakeParts): Wake {
  const channel = redisUrl === undefined ? 'outbox' : `${prefix}:outbox`;
  const voice = voiceOf({ db, redisUrl, channel, log });
  const announce = debounced(() => voice.say(['']));
  announcers.set(db.client.config, announce.call);
  return {
    listen(wake, postgres) {
      const ears = { channel, told: () => wake(), log };
      return redisUrl === undefined ? listenOnPostgres(ears, postgres) : listenOnRedis(ears, redisUrl);
    },
    async close() {
      await announce.settled();
      voice.close();
    },
  };
}

/** Settings of knex by which a connection's announcer is found. */
const announcers = new WeakMap<object, () => void>();
const noted = new WeakSet<object>();

/** The transaction has written events: once it has committed the relay is woken. */
export function eventsAppended(trx: Trx): void {
  const outermost = outermostOf(trx);
  const announce = announcers.get(outermost.client.config);
  if (!announce || noted.has(outermost)) return;
  noted.add(outermost);
  outermost.executionPromise.then(announce, () => {});
}
