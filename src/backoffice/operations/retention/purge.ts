// Removes expired rows in batches. Each batch is a transaction, so that a killed process loses one batch.

import type { Services } from '#core/module/services.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import type { Expiring } from './expiring.ts';
import { type RetentionShare, sharesOf } from './shares.ts';

const batchSize = 5_000;

/** Purges every table separately and logs its counts. Throws the first failure after all tables have been purged. */
export async function purgeExpired(services: Services, now: Date): Promise<void> {
  await eachInTurn(
    services.capabilities.flatMap(({ retention = [] }) => retention),
    (one) => purgeTable(services, one, now),
    (error, { table }) => services.log.error({ err: error, table }, 'a purge failed'),
  );
}

async function purgeTable(services: Services, one: Expiring, now: Date): Promise<void> {
  for (const share of await sharesOf(services, one, now)) {
    const { table, kind } = share;
    const removed = await purgeShare(services.db, share);
    if (removed > 0)
      services.log.info({ table, ...(kind !== null && { kind }), removed }, 'purged what has had its time');
  }
}

async function purgeShare(db: Db, share: RetentionShare): Promise<number> {
  let removed = 0;
  let inBatch: number;
  do {
    inBatch = await purgeBatch(db, share);
    removed += inBatch;
  } while (inBatch === batchSize);
  return removed;
}

/** `app.purge` tells the table's trigger that this delete is the regular purge. */
function purgeBatch(db: Db, { table, rows, bindings, instant, end }: RetentionShare): Promise<number> {
  return inContext(db, 'SUPER', async (trx) => {
    await trx.raw("select set_config('app.purge', ?, true)", [table]);
    const { rowCount } = await trx.raw(
      `delete from ${table}
       where ctid = any (array(select ctid from ${table} where ${rows} and ${instant} <= ? limit ?))`,
      [...bindings, end, batchSize],
    );
    return rowCount;
  });
}
