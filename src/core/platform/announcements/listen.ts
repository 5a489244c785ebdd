// Hearing what other processes announce: on a connection of its own, which is made again by itself. Whoever was deaf for a
// while is told so, and looks by himself.
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Logger } from 'pino';

export interface PostgresConnection {
  readonly connectionString: string;
  readonly options?: string;
}

export interface Ears {
  readonly channel: string;
  /** Undefined: heard again from now on; what was said before may have been missed. */
  readonly told: (said: string | undefined) => void;
  readonly log: Logger;
}

const reconnectAfterMs = 1_000;

/** Until what it answers is called. */
export function listenOnPostgres({ channel, told, log }: Ears, connection: PostgresConnection): () => void {
  let client: pg.Client | undefined;
  let stopped = false;
  const connect = async () => {
    if (stopped) return;
    client = new pg.Client(connection);
    client.on('error', () => {});
    client.on('notification', ({ payload }) => told(payload ?? ''));
    client.on('end', () => setTimeout(() => void connect(), reconnectAfterMs).unref());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      told(undefined);
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

export function listenOnRedis({ channel, told, log }: Ears, redisUrl: string): () => void {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', (error) => log.warn({ err: error, channel }, 'listener'));
  redis.on('message', (_channel, said: string) => told(said));
  redis.on('ready', () => told(undefined));
  redis.subscribe(channel).catch((error: unknown) => log.debug({ err: error, channel }, 'listener'));
  return () => redis.disconnect();
}
