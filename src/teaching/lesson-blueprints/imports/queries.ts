// The paged list of imports, newest first.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { type BatchRow, BlueprintBatch, batchColumns } from '../rows/batches.ts';
import { presentBatch } from './present.ts';
import type { BatchQuery } from './schemas.ts';

export async function batchPage(
  trx: Trx,
  { limit = defaultLimit, cursor }: Static<typeof BatchQuery>,
): Promise<Page<ReturnType<typeof presentBatch>>> {
  const after = keyInCursor(cursor, ['instant', 'string']);
  const query = BlueprintBatch.query(trx);
  if (after) query.whereRaw('(created_at, id) < (?, ?)', [...after]);
  const rows: BatchRow[] = await query
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1)
    .select(batchColumns);
  return pageOf(rows, limit, ({ createdAt, id }) => [createdAt, id], presentBatch);
}
