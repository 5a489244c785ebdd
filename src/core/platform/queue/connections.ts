// What all queues of a process share on PostgreSQL: a few connections for statements, and one that listens. Left to itself
// the library opens three or more for each queue, and a few processes take all that a server admits.
import { EventEmitter } from 'node:events';
import type { ConnectionOptions } from 'bullmq';
import pg from 'pg';
import type { Logger } from 'pino';
import { SharedListener } from './listener.ts';

export interface QueueConnections {
  /** What the library takes for a `pg.Pool`; it does not end it. */
  readonly pool: ConnectionOptions;
  close(): Promise<void>;
}

/** Statements of queues take a millisecond or two. */
const statementsAtOnce = 4;
/** Where the library keeps its tables; it names them without it. */
const schema = 'bullmq';

export function shareConnections(postgres: pg.ClientConfig, log: Logger): QueueConnections {
  const settings = { ...postgres, options: `${postgres.options ?? ''} -c search_path=${schema}` };
  const statements = new pg.Pool({ ...settings, max: statementsAtOnce });
  // Its statements fail by themselves; this one was idle.
  statements.on('error', (error) => log.warn({ err: error }, 'queue connection'));
  const listener = new SharedListener(settings);
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
  readonly #listener: SharedListener;

  constructor(statements: pg.Pool, listener: SharedListener) {
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
