// Removes what has had its time, in batches that each are a transaction of their own: a kill loses one batch.

import type { Services } from '../../kernel/services.ts';
import { type Db, inContext } from '../../platform/db.ts';
import type { Expiring } from './expiring.ts';
import { retainedSince } from './periods.ts';

const batchSize = 5_000;

/** Every table by itself, each with its count in the log. Throws the first failure when all have had their turn. */
export async function purgeExpired(services: Services, now: Date): Promise<void> {
  const failures: unknown[] = [];
  for (const one of services.capabilities.flatMap(({ retention = [] }) => retention)) {
    try {
      const removed = await purgeTable(services.db, one, await endOf(services, one, now));
      services.log.info({ table: one.table, removed }, 'purged what has had its time');
    } catch (error) {
      failures.push(error);
      services.log.error({ err: error, table: one.table }, 'a purge failed');
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Rows whose instant is not after this one have had their time. */
const endOf = async (services: Services, one: Expiring, now: Date): Promise<Date> =>
  'until' in one ? now : retainedSince(services, services.db, one.kind, now);

async function purgeTable(db: Db, one: Expiring, end: Date): Promise<number> {
  let removed = 0;
  let inBatch: number;
  do {
    inBatch = await purgeBatch(db, one, end);
    removed += inBatch;
  } while (inBatch === batchSize);
  return removed;
}

/** `app.purge` says to the table's trigger that this is no erasing of traces. */
function purgeBatch(db: Db, one: Expiring, end: Date): Promise<number> {
  const { table } = one;
  const instant = 'until' in one ? one.until : one.since;
  return inContext(db, 'SUPER', async (trx) => {
    await trx.raw("select set_config('app.purge', ?, true)", [table]);
    const { rowCount } = await trx.raw(
      `delete from ${table} where ctid = any (array(select ctid from ${table} where ${instant} <= ? limit ?))`,
      [end, batchSize],
    );
    return rowCount;
  });
}
