// Receives messages of other processes on a connection of its own, which is re-established automatically. A subscriber is
// called after each disconnection and reads the current state itself.
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Logger } from 'pino';

export interface PostgresConnection {
  readonly connectionString: string;
  readonly options?: string;
}

export interface Subscription {
  readonly channel: string;
  /** `undefined` after each (re)connection: messages sent before may have been missed. */
  readonly onMessage: (message: string | undefined) => void;
  readonly log: Logger;
}

const reconnectAfterMs = 1_000;

/** Returns the function that ends the subscription. */
export function subscribeOnPostgres(
  { channel, onMessage, log }: Subscription,
  connection: PostgresConnection,
): () => void {
  let client: pg.Client | undefined;
  let stopped = false;
  const connect = async () => {
    if (stopped) return;
    client = new pg.Client(connection);
    client.on('error', () => {});
    client.on('notification', ({ payload }) => onMessage(payload ?? ''));
    client.on('end', () => setTimeout(() => void connect(), reconnectAfterMs).unref());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      onMessage(undefined);
    } catch (error) {
      log.warn({ err: error, channel }, 'listener');
      await client.end().catch(() => {});
    }
  };
  void connect();
  return () => {
    stopped = true;
    void client?.end().catch(() => {});
  };
}

/** Returns the function that ends the subscription. */
export function subscribeOnRedis({ channel, onMessage, log }: Subscription, redisUrl: string): () => void {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', (error) => log.warn({ err: error, channel }, 'listener'));
  redis.on('message', (_channel, message: string) => onMessage(message));
  redis.on('ready', () => onMessage(undefined));
  redis.subscribe(channel).catch((error: unknown) => log.debug({ err: error, channel }, 'listener'));
  return () => redis.disconnect();
}
