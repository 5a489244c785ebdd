// Begins a transaction and applies its settings in one message. A read does not wait for the response: its first statement is sent
// right behind it, so that both cost one round trip.
import type { Knex } from 'knex';
import { isSessionSuspect, nativeError } from '../database-errors.ts';
import { asTransaction } from './outside.ts';

type Work<T> = (trx: Knex.Transaction) => Promise<T>;

/** The allowed values of settings: ids, names of roles and schemas. None of them can end a quoted literal. */
const plain = /^[A-Za-z0-9_,-]{0,100}$/;

interface Connection {
  /** Read by the pool, which does not give out a connection that has it. */
  __knex__disposed?: unknown;
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/** The private method by which knex sends a statement of a transaction. */
interface Sender {
  _query(connection: Connection, statement: unknown): Promise<unknown>;
}

/** The private parts by which knex begins a transaction. */
interface Beginning {
  begin(connection: Connection): Promise<unknown>;
  readonly trxClient: Sender & { query(connection: unknown, statement: string): Promise<unknown> };
}

/**
 * Runs `work` in a transaction whose `settings` apply until it ends. Throws RangeError for a value that is neither an id nor a
 * name. If the beginning fails, its error is thrown whatever became of `work`, and the result of `work` is discarded. If the
 * rollback fails, its error is thrown with that of `work` as its cause. A connection whose session may be broken is not used
 * again.
 */
export async function beginWith<T>(
  db: Knex,
  settings: Readonly<Record<string, string>>,
  { readOnly }: { readonly readOnly: boolean },
  work: Work<T>,
): Promise<T> {
  const message = `${readOnly ? 'begin read only' : 'begin'}; ${settingsText(settings)}`;
  let begun: Promise<unknown> = Promise.resolve();
  let failure: unknown;
  let used: Connection | undefined;
  const transaction = db.transaction(async (trx) => {
    // A write never starts before the transaction is known to have begun.
    if (!readOnly) await begun;
    try {
      return await asTransaction(() => work(trx));
    } catch (error) {
      failure = error;
      if (used && isSessionSuspect(error)) used.__knex__disposed = error;
      throw error;
    } finally {
      await begun;
    }
  });
  const beginning = transaction as unknown as Beginning;
  beginning.begin = async (connection) => {
    used = connection;
    writeTogether(beginning.trxClient);
    begun = beginning.trxClient.query(connection, message);
    begun.catch(() => {});
  };
  return transaction.catch((error: unknown) => {
    throw causedBy(error, failure);
  });
}

/** A rollback on a lost connection fails, and says of the connection alone. */
function causedBy(error: unknown, failure: unknown): unknown {
  const isAnother = failure !== undefined && nativeError(failure) !== nativeError(error);
  if (isAnother && error instanceof Error) error.cause ??= failure;
  return error;
}

/**
 * Writes all statements that the transaction sends without waiting in between to the socket at once: each write is a system call
 * and wakes the database once more.
 */
function writeTogether(sender: Sender): void {
  const send = sender._query.bind(sender);
  sender._query = (connection, statement) => {
    const { stream } = connection.connection;
    stream.cork();
    // Everything that follows from settled promises runs before the next tick.
    process.nextTick(() => stream.uncork());
    return send(connection, statement);
  };
}

function settingsText(settings: Readonly<Record<string, string>>): string {
  const calls = Object.entries(settings).map(([name, value]) => {
    if (!plain.test(value)) throw new RangeError(`the value of ${name} is neither an id nor a name`);
    return `set_config('${name}', '${value}', true)`;
  });
  return `select ${calls.join(', ')}`;
}
