// Announces to every process the ids of people for whom something has changed. Each process then reads the changes itself, once
// for all of its connections.
import type { Logger } from 'pino';
import { connectionOf, type Db, type Trx } from '../db.ts';
import { createPublisher, debounced, outermostOf } from './publisher.ts';
import { subscribeOnPostgres, subscribeOnRedis } from './subscriber.ts';

/** The changed ids; `all` where messages may have been missed. */
export type ChangedIds = readonly number[] | 'all';

export interface ChangeFeed {
  /** Publishes the ids once the transaction has committed. */
  publish(trx: Trx, ids: readonly number[]): void;
  /** Returns the function that ends the subscription. */
  subscribe(onChange: (changed: ChangedIds) => void): () => void;
  close(): Promise<void>;
}

interface ChangeFeedParts {
  readonly db: Db;
  readonly redisUrl: string | undefined;
  /** Connects to PostgreSQL past a pooler, which does not pass LISTEN on. Default: the connection of `db`. */
  readonly listenUrl: string | undefined;
  readonly log: Logger;
  /** The name of the channel, in lower-case letters. */
  readonly name: string;
}

/** Ids of one message: the payload of NOTIFY is limited to less than 8,000 bytes. */
const idsPerMessage = 400;

export function openChangeFeed({ db, redisUrl, listenUrl, log, name }: ChangeFeedParts): ChangeFeed {
  const channel = redisUrl === undefined ? name : `literacy:${name}`;
  const publisher = createPublisher({ db, redisUrl, channel, log });
  const waiting = new Set<number>();
  const publishWaiting = debounced(() => {
    const ids = [...waiting];
    waiting.clear();
    return publisher.publish(messagesOf(ids));
  });
  return {
    publish(trx, ids) {
      if (ids.length === 0) return;
      const add = () => {
        for (const id of ids) waiting.add(id);
        publishWaiting.call();
      };
      outermostOf(trx).executionPromise.then(add, () => {});
    },
    subscribe(onChange) {
      const onMessage = (message: string | undefined) =>
        onChange(message === undefined ? 'all' : message.split(',').map(Number));
      const subscription = { channel, onMessage, log };
      if (redisUrl !== undefined) return subscribeOnRedis(subscription, redisUrl);
      const { connectionString, options } = connectionOf(db) as { connectionString: string; options?: string };
      const connection = { connectionString: listenUrl ?? connectionString, ...(options && { options }) };
      return subscribeOnPostgres(subscription, connection);
    },
    async close() {
      await publishWaiting.settled();
      publisher.close();
    },
  };
}

function messagesOf(ids: readonly number[]): string[] {
  const messages: string[] = [];
  for (let at = 0; at < ids.length; at += idsPerMessage) messages.push(ids.slice(at, at + idsPerMessage).join(','));
  return messages;
}
