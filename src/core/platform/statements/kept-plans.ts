// Prepared statements. A marked statement is sent under a name: each connection parses and plans it for its first uses only,
// which costs several times as much as finding a few rows by an index.
import { createHash } from 'node:crypto';
import type { Trx } from '../trx.ts';

/** Marks a statement, as an option of the driver. Its text must always be the same; values are bindings. */
export const keptPlan = { keepsPlan: true } as const;

interface Statement {
  readonly sql: string;
  options?: Readonly<Record<string, unknown>>;
}

interface Connection {
  /** Read by the pool, which does not give out a connection that has it. */
  __knex__disposed?: unknown;
}

/** The method with which knex sends statements of a transaction; replaced for one transaction. */
interface Sender {
  _query(connection: Connection, statement: Statement): Promise<unknown>;
}

/**
 * From this call on marked statements of `trx` are prepared while `mayKeep` returns true. A plan includes the policies of the
 * role for which it was made, so all plans are made with one role.
 */
export function keepPlans(trx: Trx, mayKeep: () => boolean): void {
  const sender: Sender = trx.client;
  const send = sender._query.bind(sender);
  sender._query = (connection, statement) => {
    const name = statement.options?.keepsPlan && mayKeep() ? nameOf(statement.sql) : undefined;
    if (name === undefined) return send(connection, statement);
    statement.options = { ...statement.options, name };
    return send(connection, statement).catch((error: unknown) => {
      if (isPlanLost(error)) connection.__knex__disposed = error;
      throw error;
    });
  };
}

/** More texts mean that they are not constant; further ones are not prepared. */
const maxNames = 256;
const names = new Map<string, string>();
/** `*` changes with the table, and PostgreSQL rejects a prepared plan whose columns have changed. */
const star = /(?<!count\()\*/;

/**
 * Derives the name from the text: the sessions of a pooler may pass from process to process, and a name must mean one statement
 * in all of them.
 */
function nameOf(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined) return known;
  if (star.test(sql)) throw new RangeError(`a statement whose plan is kept names its columns: ${sql}`);
  if (names.size >= maxNames) return undefined;
  const name = `kept_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
  names.set(sql, name);
  return name;
}

/**
 * Returns whether the session cannot use the plan: the type of a column has changed, or a pooler has given another session. A
 * new connection can prepare it again.
 */
export function isPlanLost(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return (
    error.code === '26000' ||
    error.code === '42P05' ||
    (error.code === '0A000' && /cached plan must not change/.test(error.message))
  );
}
