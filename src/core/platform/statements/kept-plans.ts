// Plans that PostgreSQL keeps. A marked statement travels under a name: each connection parses and plans it for its first
// uses only, which costs several times as much as finding a few rows by an index.
import { createHash } from 'node:crypto';
import type { Trx } from '../trx.ts';

/** Marks a statement, as one of the driver's options. Its text has to be the same each time: values are bindings. */
export const keptPlan = { keepsPlan: true } as const;

interface Statement {
  readonly sql: string;
  options?: Readonly<Record<string, unknown>>;
}

interface Connection {
  /** Read by the pool: a connection that has it is not given out again. */
  __knex__disposed?: unknown;
}

/** How knex sends a statement of a transaction; replaced for this one. */
interface Sender {
  _query(connection: Connection, statement: Statement): Promise<unknown>;
}

/**
 * From here on marked statements of `trx` have their names while `mayKeep` says so. A plan holds the policies of the role
 * that it was made for: kept plans are those of one role.
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

/** More texts than that are no fixed texts; what comes later has no name. */
const mostNames = 256;
const names = new Map<string, string>();
/** Columns by a star change with the table, and PostgreSQL refuses a kept plan whose columns have changed. */
const star = /(?<!count\()\*/;

/** By its text: sessions of a pooler that nobody has told of pass from process to process, and a name means one statement in all. */
function nameOf(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= mostNames) return known;
  if (star.test(sql)) throw new RangeError(`a statement whose plan is kept names its columns: ${sql}`);
  const name = `kept_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
  names.set(sql, name);
  return name;
}

/**
 * The type of a column has changed, or the session is another one than before, which knows no such name or knows it already.
 * A new connection knows nothing of it.
 */
export function isPlanLost(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return (
    error.code === '26000' ||
    error.code === '42P05' ||
    (error.code === '0A000' && /cached plan must not change/.test(error.message))
  );
}
