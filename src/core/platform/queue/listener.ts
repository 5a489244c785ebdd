// The one connection on which a process hears that there are jobs: made when it is first needed, and again after it was
// lost.
import type { EventEmitter } from 'node:events';
import pg from 'pg';

interface Heard {
  notification(message: pg.Notification): void;
  /** Called twice where the server says why it ends a connection. */
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

  /**
   * Rejects where the database cannot be reached, and after `close`. When the connection is lost later, `client` hears of an
   * error.
   */
  async listen(client: EventEmitter, statement: string): Promise<undefined> {
    if (this.#closed) throw new Error('the queues of this process are closed');
    this.#connection ??= this.#open();
    const own = this.#connection;
    try {
      await (await own).query(statement);
      if (own !== this.#connection) throw new Error('the connection that listens was lost');
    } catch (error) {
      // It is not used again, so that all others who listen on it must hear of that.
      this.#lost(own, error as Error);
      void own.then(end, () => {});
      throw error;
    }
    this.#listening.add(client);
    return undefined;
  }

  leave(client: EventEmitter): void {
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

  /** Whoever listened begins anew, on a new connection. */
  #lost(which: Promise<pg.Client>, error: Error): void {
    if (which !== this.#connection) return;
    this.#connection = undefined;
    const deaf = [...this.#listening];
    this.#listening.clear();
    for (const client of deaf) {
      // One that has been closed meanwhile does not care, and an error that nobody hears would be thrown.
      if (client.listenerCount('error') > 0) client.emit('error', error);
    }
  }
}

const end = (client: pg.Client): Promise<void> => client.end().catch(() => {});

/** Its partner may vanish without a word: the system asks for it from time to time. */
const watched = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
/** Many queues begin to listen at once, and none waits for another. */
const together = { pipeline: true };

async function connect(settings: pg.ClientConfig, heard: Heard): Promise<pg.Client> {
  const client = new pg.Client({ ...settings, ...watched, ...together });
  client.on('notification', heard.notification);
  client.on('error', heard.end);
  client.on('end', () => heard.end(new Error('the connection that listens has ended')));
  await client.connect();
  return client;
}
