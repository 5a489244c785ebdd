// Wakes the relay when events have been committed. A message that is lost costs a few seconds: the relay also polls the outbox.
import type { Logger } from 'pino';
import type { Db, Trx } from '../db.ts';
import { createPublisher, debounced, outermostOf } from './publisher.ts';
import { type PostgresConnection, subscribeOnPostgres, subscribeOnRedis } from './subscriber.ts';

export interface RelayWakeup {
  /** Calls `wake` for each message. Returns the function that ends the subscription. */
  subscribe(wake: () => void, postgres: PostgresConnection): () => void;
  close(): Promise<void>;
}

interface RelayWakeupParts {
  readonly db: Db;
  readonly redisUrl: string | undefined;
  readonly log: Logger;
  /** Keeps several services in one Redis apart. */
  readonly prefix?: string;
}

/** From now on, commits on `db` for which `wakeRelayAfterCommit` was called are published. */
export function openRelayWakeup({ db, redisUrl, log, prefix = 'literacy' }: RelayWakeupParts): RelayWakeup {
  const channel = redisUrl === undefined ? 'outbox' : `${prefix}:outbox`;
  const publisher = createPublisher({ db, redisUrl, channel, log });
  const wakeup = debounced(() => publisher.publish(['']));
  wakeups.set(db.client.config, wakeup.call);
  return {
    subscribe(wake, postgres) {
      const subscription = { channel, onMessage: () => wake(), log };
      return redisUrl === undefined
        ? subscribeOnPostgres(subscription, postgres)
        : subscribeOnRedis(subscription, redisUrl);
    },
    async close() {
      await wakeup.settled();
      publisher.close();
    },
  };
}

/** The wake-up of each connection pool, by knex's settings of the pool. */
const wakeups = new WeakMap<object, () => void>();
/** Transactions that wake the relay already. */
const registered = new WeakSet<object>();

/** Wakes the relay once the transaction, which has written events, is committed. */
export function wakeRelayAfterCommit(trx: Trx): void {
  const outermost = outermostOf(trx);
  const wakeup = wakeups.get(outermost.client.config);
  if (!wakeup || registered.has(outermost)) return;
  registered.add(outermost);
  outermost.executionPromise.then(wakeup, () => {});
}
