// A queue of coalescing requests: one row per key states how often work was requested, and up to which request it was done. A
// request only increments a counter, so that a caller never waits for the process that works, many requests become one piece of
// work, and requests made meanwhile stay open. The rows are what counts: jobs only name them, and may be lost.
import type { Trx } from '../db.ts';
import { failureBindings, failureColumns, mayBeTried, notFailed } from '../failures.ts';
import { lockingRows, type RowsName } from '../locks.ts';
import { chunks } from '../pure/lists/chunks.ts';
import { grouped } from '../pure/lists/grouped.ts';
import type { Job } from '../queue/queue.ts';
import { countedRetries } from '../retries.ts';
import { type Bindings, rowsOf } from '../sql.ts';

type RequestKey = string | number;

/** A table with the columns `requested_seq`, `processed_seq`, `requested_at` and `attempts`. */
export interface RequestTable<Key extends RequestKey> {
  readonly name: string;
  readonly lock: RowsName;
  /** The column that is the key of the table together with the organization. */
  readonly column: string;
  readonly type: Key extends string ? 'text' : 'bigint';
  /** `parked` requires the columns of `platform/failures.ts`. */
  readonly retries: keyof typeof retrySql;
  /** The name of the keys in the log and in the data of jobs. */
  readonly listed: string;
}

/** Jobs that name many keys of one organization. */
export interface KeyedJobs<Key extends RequestKey> {
  readonly queue: string;
  /** The most keys of one job and one transaction. */
  readonly atOnce: number;
  readonly listed: string;
  readonly keyOf: (text: string) => Key;
  /** Encodes the keys in the data of a job. Default: all under `listed`. */
  readonly data?: {
    of(keys: readonly Key[]): Job['data'];
    keysOf(data: Job['data']): Key[];
  };
}

export interface RequestQueue<Key extends RequestKey> extends RequestTable<Key>, KeyedJobs<Key> {
  /** The most keys of one job of the sweep. Default: `atOnce`. */
  readonly sweptAtOnce?: number;
}

/** The waits of each kind of table after failures; conditions and assignments on a row `q`. */
const retrySql = {
  parked: {
    requested: 'attempts = 0, next_try_at = null, parked_at = null',
    served: notFailed,
    failed: failureColumns,
    isDue: mayBeTried('q'),
    hasFailed: 'q.last_error is not null',
  },
  counted: {
    requested: 'attempts = 0',
    served: 'attempts = 0',
    failed: 'attempts = q.attempts + 1',
    isDue: `q.attempts < ${countedRetries.attempts}`,
    hasFailed: 'q.attempts > 0',
  },
} as const;

/** SQL condition that a row `q` is open and may be served now. `:now` is bound to the Clock's time. */
export const isWaiting = ({ retries }: { readonly retries: keyof typeof retrySql }): string =>
  `q.requested_seq > q.processed_seq and ${retrySql[retries].isDue}`;

/** A requested row, with the number of the request. */
export interface RaisedRequest<Key extends RequestKey> {
  readonly organizationId: string;
  readonly key: Key;
  readonly requestedSeq: number;
}

export interface RequestSource {
  /** A statement whose rows have `organization_id`, the key, `requested_at` and `columns`, each key once. */
  readonly from: string;
  /** Further columns to copy. */
  readonly columns?: readonly string[];
  /** Further assignments for an existing row `q`; the new one is `excluded`. */
  readonly changes?: readonly string[];
  readonly bindings: Bindings;
}

/**
 * Increments the request of each key. Rows are written in the order of their keys, so that two callers cannot deadlock. The
 * reason of the request may have changed what failed, so a parked request is retried.
 */
export function raiseRequests<Key extends RequestKey>(
  trx: Trx,
  { name, column, retries }: RequestTable<Key>,
  { from, columns = [], changes = [], bindings }: RequestSource,
): Promise<RaisedRequest<Key>[]> {
  const copied = ['organization_id', column, 'requested_at', ...columns];
  const changed = ['requested_seq = q.requested_seq + 1', 'requested_at = excluded.requested_at', ...changes];
  return rowsOf(
    trx,
    `insert into ${name} as q (${copied.join(', ')}, requested_seq)
     select ${copied.map((one) => `a.${one}`).join(', ')}, 1 from (${from}) a
     order by a.organization_id, a.${column}
     on conflict (organization_id, ${column}) do update set ${changed.join(', ')}, ${retrySql[retries].requested}
     returning organization_id, ${column} as key, requested_seq`,
    bindings,
  );
}

/** Returns one job for many keys of an organization, named after the first key and its request. */
export function jobsOfKeys<Key extends RequestKey>(
  jobs: KeyedJobs<Key>,
  raised: readonly RaisedRequest<Key>[],
  atOnce: number = jobs.atOnce,
): Job[] {
  const byOrganization = grouped(raised, ({ organizationId }) => organizationId);
  return [...byOrganization].flatMap(([organizationId, own]) =>
    chunks(own, atOnce).map((some) => {
      const keys = some.map(({ key }) => key);
      return {
        queue: jobs.queue,
        id: [jobs.queue, some[0]?.key, some[0]?.requestedSeq].join('-'),
        data: { organizationId, ...(jobs.data?.of(keys) ?? { [jobs.listed]: keys.join() }) },
      };
    }),
  );
}

export function keysOfJob<Key extends RequestKey>({ data, listed, keyOf }: KeyedJobs<Key>, job: Job['data']): Key[] {
  return data?.keysOf(job) ?? String(job[listed]).split(',').map(keyOf);
}

/**
 * Returns the jobs of requests that have waited for `waitedMs`: their jobs were lost, or failed a while ago. Failed ones come
 * last.
 */
export async function overdueJobs<Key extends RequestKey>(
  trx: Trx,
  queue: RequestQueue<Key>,
  now: Date,
  waitedMs: number,
  limit: number,
): Promise<Job[]> {
  const overdue = await rowsOf<RaisedRequest<Key>>(
    trx,
    `select q.organization_id, q.${queue.column} as key, q.requested_seq from ${queue.name} q
     where ${isWaiting(queue)} and (q.requested_at < :before or q.requested_at > :now)
     order by ${retrySql[queue.retries].hasFailed}, q.requested_at limit :limit`,
    { before: new Date(now.getTime() - waitedMs).toISOString(), now: now.toISOString(), limit },
  );
  return jobsOfKeys(queue, overdue, queue.sweptAtOnce);
}

export type OpenRequest<Key extends RequestKey> = Omit<RaisedRequest<Key>, 'organizationId'>;

/** Returns the open requests among the keys, in their order; with `now` only those that may be tried now. */
export const openRequests = <Key extends RequestKey, Further = unknown>(
  trx: Trx,
  table: RequestTable<Key>,
  organizationId: string,
  keys: readonly Key[],
  { now, columns = [] }: { readonly now?: Date; readonly columns?: readonly string[] } = {},
): Promise<(OpenRequest<Key> & Further)[]> =>
  rowsOf(
    trx,
    `select ${[`q.${table.column} as key`, 'q.requested_seq', ...columns].join(', ')} from ${table.name} q
     where q.organization_id = :organizationId and q.${table.column} = any(:keys::${table.type}[])
       and ${now ? isWaiting(table) : 'q.requested_seq > q.processed_seq'}
     order by q.${table.column}`,
    { organizationId, keys: [...keys] as string[], ...(now && { now: now.toISOString() }) },
  );

interface Written {
  /** Further assignments on the rows `q`. */
  readonly changes: readonly string[];
  readonly bindings: Bindings;
}

/**
 * Marks the requests as served up to the number that was read; later ones stay open. Rows are locked in the order of their
 * keys.
 */
export async function closeRequests<Key extends RequestKey>(
  trx: Trx,
  { name, lock, column, type, retries }: RequestTable<Key>,
  organizationId: string,
  served: readonly OpenRequest<Key>[],
  { changes, bindings }: Written = { changes: [], bindings: {} },
): Promise<void> {
  if (served.length === 0) return;
  const written = ['processed_seq = greatest(q.processed_seq, t.seq)', retrySql[retries].served, ...changes];
  await trx.raw(
    `with own as (select ${column} from ${name}
       where organization_id = :organizationId and ${column} = any(:keys::${type}[])
       order by ${column} ${lockingRows(lock, 'change')})
     update ${name} q set ${written.join(', ')}
     from own join unnest(:keys::${type}[], :seqs::integer[]) as t (${column}, seq) using (${column})
     where q.organization_id = :organizationId and q.${column} = own.${column}`,
    {
      ...bindings,
      organizationId,
      keys: served.map(({ key }) => key),
      seqs: served.map(({ requestedSeq }) => requestedSeq),
    },
  );
}

/** Counts a failure of an open request. Returns its attempts; undefined where nothing is open. */
export async function countFailure<Key extends RequestKey>(
  trx: Trx,
  { name, column, retries }: RequestTable<Key>,
  organizationId: string,
  key: Key,
  { lastError, now }: { readonly lastError: string; readonly now: Date },
): Promise<number | undefined> {
  const [failed] = await rowsOf<{ attempts: number }>(
    trx,
    `update ${name} q set ${retrySql[retries].failed}
     where q.organization_id = :organizationId and q.${column} = :key and q.requested_seq > q.processed_seq
     returning q.attempts`,
    { ...failureBindings(lastError, now), organizationId, key },
  );
  return failed?.attempts;
}
