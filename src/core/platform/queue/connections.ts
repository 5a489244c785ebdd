// The PostgreSQL connections that all queues of a process share: a few for statements, and one that listens. By default the
// library opens three or more for each queue, so that a few processes would exhaust a server.
import { EventEmitter } from 'node:events';
import type { ConnectionOptions } from 'bullmq';
import pg from 'pg';
import type { Logger } from 'pino';
import { SharedListener } from './listener.ts';

export interface QueueConnections {
  /** Passed to the library as its `pg.Pool`. The library does not end it. */
  readonly pool: ConnectionOptions;
  close(): Promise<void>;
}

/** The most concurrent statements of queues, each of which takes a millisecond or two. */
const maxStatements = 4;
/** The schema of the library's tables, whose names it does not qualify. */
const schema = 'bullmq';

export function shareConnections(postgres: pg.ClientConfig, log: Logger): QueueConnections {
  const settings = { ...postgres, options: `${postgres.options ?? ''} -c search_path=${schema}` };
  const statements = new pg.Pool({ ...settings, max: maxStatements });
  // An error of a busy connection rejects its statement; this event is of an idle one.
  statements.on('error', (error) => log.warn({ err: error }, 'queue connection'));
  const listener = new SharedListener(settings);
  const pool = {
    connect: async () => new BorrowedClient(statements, listener),
    query: (text: string, values: unknown[]) => statements.query(text, values),
    end: async () => {},
    // Errors of idle connections are logged above, once.
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

/** What a queue uses as its own client. Statements run on any connection; notifications come from the shared listener. */
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
    // The library would set the name of the queue as the application name of the connection.
    if (text.includes('application_name')) return undefined;
    return this.#statements.query(text, values);
  }

  release(): void {
    this.#listener.remove(this);
  }
}
