// Rows that say how often something was asked for, and up to which asking it was served: asking only counts up, so that who
// asks never waits for whoever serves, and what is asked for meanwhile stays open.
import type { Trx } from '../db.ts';
import { lockingRows, type RowsName } from '../locks.ts';

/** A table with the columns `requested_seq`, `processed_seq`, `requested_at` and `attempts`. */
export interface RequestTable<Key extends string | number> {
  readonly name: string;
  readonly lock: RowsName;
  /** With the organization the key of the table. */
  readonly column: string;
  readonly type: Key extends string ? 'text' : 'bigint';
  /** Set when a request is served; default: it has not failed. */
  readonly served?: string;
}

/** For an insert into a table `q` with such columns whose row stands there already. */
export const askedAgain = 'requested_seq = q.requested_seq + 1, requested_at = excluded.requested_at, attempts = 0';

/** After so many failures a request waits for the work of the day, or for the next asking. */
const mostAttempts = 5;

export const isWaiting = `requested_seq > processed_seq and attempts < ${mostAttempts}`;

export interface ServedRequest<Key extends string | number> {
  readonly key: Key;
  readonly requestedSeq: number;
}

/** Served up to what was read of them; rows are locked in the order of asking. */
export async function closeServed<Key extends string | number>(
  trx: Trx,
  { name, lock, column, type, served: columns = 'attempts = 0' }: RequestTable<Key>,
  organizationId: string,
  served: readonly ServedRequest<Key>[],
): Promise<void> {
  if (served.length === 0) return;
  await trx.raw(
    `with own as (select ${column} from ${name}
       where organization_id = :organizationId and ${column} = any(:keys::${type}[])
       order by ${column} ${lockingRows(lock, 'change')})
     update ${name} q set processed_seq = greatest(q.processed_seq, t.seq), ${columns}
     from own join unnest(:keys::${type}[], :seqs::integer[]) as t (${column}, seq) using (${column})
     where q.organization_id = :organizationId and q.${column} = own.${column}`,
    {
      organizationId,
      keys: served.map(({ key }) => key),
      seqs: served.map(({ requestedSeq }) => requestedSeq),
    },
  );
}

export async function countFailure<Key extends string | number>(
  trx: Trx,
  { name, column }: RequestTable<Key>,
  organizationId: string,
  key: Key,
): Promise<void> {
  await trx(name).where({ organizationId }).where(column, key).increment('attempts');
}
