// The one connection on which a process is notified of jobs: opened on first use, and again after it was lost.
import type { EventEmitter } from 'node:events';
import pg from 'pg';

interface Handlers {
  notification(message: pg.Notification): void;
  /** Called twice if the server states why it ends a connection. */
  end(error: Error): void;
}

export class SharedListener {
  readonly #settings: pg.ClientConfig;
  readonly #listening = new Set<EventEmitter>();
  #connection: Promise<pg.Client> | undefined;
  #closed = false;

  constructor(settings: pg.ClientConfig) {
    this.#settings = settings;
  }

  /** Rejects if the database is unreachable, and after `close`. If the connection is lost later, `client` emits an error. */
  async listen(client: EventEmitter, statement: string): Promise<undefined> {
    if (this.#closed) throw new Error('the queues of this process are closed');
    this.#connection ??= this.#open();
    const own = this.#connection;
    try {
      await (await own).query(statement);
      if (own !== this.#connection) throw new Error('the connection that listens was lost');
    } catch (error) {
      // The connection is not used again, so all other listeners on it must be notified.
      this.#lost(own, error as Error);
      void own.then(end, () => {});
      throw error;
    }
    this.#listening.add(client);
    return undefined;
  }

  remove(client: EventEmitter): void {
    this.#listening.delete(client);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const last = this.#connection;
    this.#connection = undefined;
    await last?.then(end, () => {});
  }

  #open(): Promise<pg.Client> {
    const opened = connect(this.#settings, {
      notification: (message) => {
        for (const client of this.#listening) client.emit('notification', message);
      },
      end: (error) => this.#lost(opened, error),
    });
    return opened;
  }

  /** Emits an error on every client, which then listens again on a new connection. */
  #lost(which: Promise<pg.Client>, error: Error): void {
    if (which !== this.#connection) return;
    this.#connection = undefined;
    const clients = [...this.#listening];
    this.#listening.clear();
    for (const client of clients) {
      // A client that was closed meanwhile has no listener, and an unhandled error event would be thrown.
      if (client.listenerCount('error') > 0) client.emit('error', error);
    }
  }
}

const end = (client: pg.Client): Promise<void> => client.end().catch(() => {});

/** TCP keep-alive detects a peer that has vanished silently. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
/** LISTEN statements of many queues are pipelined. */
const pipelined = { pipeline: true };

async function connect(settings: pg.ClientConfig, handlers: Handlers): Promise<pg.Client> {
  const client = new pg.Client({ ...settings, ...keepAlive, ...pipelined });
  client.on('notification', handlers.notification);
  client.on('error', handlers.end);
  client.on('end', () => handlers.end(new Error('the connection that listens has ended')));
  await client.connect();
  return client;
}
