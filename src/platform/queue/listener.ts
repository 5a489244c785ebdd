// The one connection on which a process hears that there are jobs: made when it is first needed, and again after it was
// lost.
import type { EventEmitter } from 'node:events';
import pg from 'pg';

export interface Listener {
  /** Rejects where the database cannot be reached. When the connection is lost later, `client` hears of an error. */
  listen(client: EventEmitter, statement: string): Promise<undefined>;
  leave(client: EventEmitter): void;
  close(): Promise<void>;
}

interface Heard {
  notification(message: pg.Notification): void;
  /** Called twice where the server says why it ends a connection. */
  end(error: Error): void;
}

export function sharedListener(settings: pg.ClientConfig): Listener {
  const listening = new Set<EventEmitter>();
  let connection: Promise<pg.Client> | undefined;

  /** Whoever listened begins anew, on a new connection. */
  function lost(which: Promise<pg.Client>, error: Error): void {
    if (which !== connection) return;
    connection = undefined;
    const deaf = [...listening];
    listening.clear();
    for (const client of deaf) {
      // One that has been closed meanwhile does not care, and an error that nobody hears would be thrown.
      if (client.listenerCount('error') > 0) client.emit('error', error);
    }
  }

  function open(): Promise<pg.Client> {
    const opened = connect(settings, {
      notification(message) {
        for (const client of listening) client.emit('notification', message);
      },
      end: (error) => lost(opened, error),
    });
    return opened;
  }

  return {
    async listen(client, statement) {
      connection ??= open();
      const own = connection;
      try {
        await (await own).query(statement);
        if (own !== connection) throw new Error('the connection that listens was lost');
      } catch (error) {
        if (own === connection) connection = undefined;
        void own.then(end, () => {});
        throw error;
      }
      listening.add(client);
      return undefined;
    },
    leave: (client) => void listening.delete(client),
    async close() {
      const open = connection;
      connection = undefined;
      await open?.then(end, () => {});
    },
  };
}

const end = (client: pg.Client): Promise<void> => client.end().catch(() => {});

/** Its partner may vanish without a word: the system asks for it from time to time. */
async function connect(settings: pg.ClientConfig, heard: Heard): Promise<pg.Client> {
  const client = new pg.Client({ ...settings, keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
  client.on('notification', heard.notification);
  client.on('error', heard.end);
  client.on('end', () => heard.end(new Error('the connection that listens has ended')));
  await client.connect();
  return client;
}
