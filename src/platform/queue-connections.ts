// What all queues of a process share on PostgreSQL: a few connections for statements, and one that listens. Left to itself
// the library opens three or more for each queue, and a few processes take all that a server admits.
import { EventEmitter } from 'node:events';
import type { ConnectionOptions } from 'bullmq';
import pg from 'pg';
import type { Logger } from 'pino';

export interface QueueConnections {
  /** What the library takes for a `pg.Pool`; it does not end it. */
  readonly pool: ConnectionOptions;
  close(): Promise<void>;
}

type Settings = pg.ClientConfig;

/** Statements of queues take a millisecond or two. */
const statementsAtOnce = 4;
/** Where the library keeps its tables; it names them without it. */
const schema = 'bullmq';

export function shareConnections(postgres: Settings, log: Logger): QueueConnections {
  const settings = { ...postgres, options: `${postgres.options ?? ''} -c search_path=${schema}` };
  const statements = new pg.Pool({ ...settings, max: statementsAtOnce });
  // Its statements fail by themselves; this one was idle.
  statements.on('error', (error) => log.warn({ err: error }, 'queue connection'));
  const listener = sharedListener(settings);
  const pool = {
    connect: async () => new BorrowedClient(statements, listener),
    query: (text: string, values: unknown[]) => statements.query(text, values),
    end: async () => {},
    // What happens to idle connections has been logged above, once.
    on: () => pool,
    options: { keepAlive: true },
  };
  return {
    pool: pool as unknown as ConnectionOptions,
    async close() {
      await Promise.all([listener.close(), statements.end()]);
    },
  };
}

/** What one queue takes for a client of its own. Its statements run on any connection; it hears what the shared one hears. */
class BorrowedClient extends EventEmitter {
  readonly #statements: pg.Pool;
  readonly #listener: Listener;

  constructor(statements: pg.Pool, listener: Listener) {
    super();
    this.#statements = statements;
    this.#listener = listener;
  }

  async query(text: string, values?: unknown[]): Promise<pg.QueryResult | undefined> {
    if (/^listen \w+;?$/im.test(text)) return this.#listener.listen(this, text);
    // The library would write the queue's name on its connection.
    if (text.includes('application_name')) return undefined;
    return this.#statements.query(text, values);
  }

  release(): void {
    this.#listener.leave(this);
  }
}

interface Listener {
  /** Rejects where the database cannot be reached. When the connection is lost later, `client` hears of an error. */
  listen(client: EventEmitter, statement: string): Promise<undefined>;
  leave(client: EventEmitter): void;
  close(): Promise<void>;
}

/** One connection, made when it is first needed and again after it was lost. */
function sharedListener(settings: Settings): Listener {
  const listening = new Set<EventEmitter>();
  let connection: Promise<pg.Client> | undefined;
  let current: pg.Client | undefined;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...settings, keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
    client.on('notification', (message) => {
      for (const one of listening) one.emit('notification', message);
    });
    client.on('error', (error) => lost(client, error));
    client.on('end', () => lost(client, new Error('the connection that listens has ended')));
    await client.connect();
    current = client;
    return client;
  }

  /** Said once: whoever listened begins anew, on a new connection. */
  function lost(client: pg.Client, error: Error): void {
    if (closed || client !== current) return;
    connection = undefined;
    current = undefined;
    const deaf = [...listening];
    listening.clear();
    for (const one of deaf) one.emit('error', error);
  }

  return {
    async listen(client, statement) {
      connection ??= connect();
      const mine = connection;
      try {
        await (await mine).query(statement);
      } catch (error) {
        if (connection === mine) connection = undefined;
        throw error;
      }
      listening.add(client);
      return undefined;
    },
    leave: (client) => void listening.delete(client),
    async close() {
      closed = true;
      await connection?.then(
        (client) => client.end(),
        () => {},
      );
    },
  };
}
