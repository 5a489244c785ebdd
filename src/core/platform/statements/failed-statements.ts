// Which statement has failed, and on which connection, for the log: the error of the driver says neither. A connection whose
// session is broken fails one statement again and again while others succeed.
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { nativeError } from '../database-errors.ts';

export interface FailedStatement {
  /** Its first word, its table and the beginning of the hash of its text, which holds no values: `insert audit_entry 1f0c62aa`. */
  readonly statement: string;
  /** The connection's name in the pool. */
  readonly connection: string | undefined;
}

/** What knex reports with an error. */
interface Reported {
  readonly sql: string;
  readonly __knexUid?: string;
}

const failures = new WeakMap<object, FailedStatement>();

/** From this call on, failed statements of the pool and of its transactions are known by their errors. */
export function noteFailures(pool: Knex): void {
  pool.on('query-error', (error: object, { sql, __knexUid: connection }: Reported) => {
    failures.set(error, { statement: statementName(sql), connection });
  });
}

/** Returns undefined for an error that is of no statement. */
export function failedStatementOf(thrown: unknown): FailedStatement | undefined {
  const error = nativeError(thrown);
  return typeof error === 'object' && error !== null ? failures.get(error) : undefined;
}

const shownHashLength = 8;

function statementName(sql: string): string {
  const verb = /[a-z]+/i.exec(sql)?.[0].toLowerCase();
  const table = /\b(?:into|update|from)\s+"?([a-z_]+)"?/i.exec(sql)?.[1];
  const hash = createHash('sha256').update(sql).digest('hex').slice(0, shownHashLength);
  return [verb, table, hash].filter((word) => word !== undefined).join(' ');
}
