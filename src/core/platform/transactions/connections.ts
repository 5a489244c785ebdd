// What a pool of connections has left.
import type { Knex } from 'knex';

/** Whether a transaction that begins now gets a connection at once. */
export function hasFreeConnection(db: Knex): boolean {
  const { pool } = db.client;
  return pool.numUsed() + pool.numPendingAcquires() < pool.max;
}
