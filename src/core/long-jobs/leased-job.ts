// One attempt at a job under a lease, whatever its table. A job is held for a while by a token that grows with each holder;
// every write of a holder states the token, so that a process which was thought dead, and has lost the job to another, writes
// nothing any more. Nobody holds a transaction while something is computed, rendered or read from elsewhere.
import type { Services } from '../module/services.ts';
import { type Db, isDatabaseDown, type Trx } from '../platform/db.ts';
import { isFree, leaseEnd, leaseSeconds, longLeaseSeconds, whileRenewing } from '../platform/leases.ts';
import { storedOrganization } from '../platform/pure/platform-organization.ts';

export interface LeasedRow {
  /** Null: the job is of the whole platform. */
  readonly organizationId: string | null;
  readonly id: string;
  /** In the log, where the table has jobs of several kinds. */
  readonly kind?: string;
  /** Grows with each holder. */
  readonly token: number;
  /** How often it was begun, this time included. */
  readonly attempts: number;
}

type KeyOf<Row extends LeasedRow> = Pick<Row, 'organizationId' | 'id'>;
type Holding = Pick<Services, 'db' | 'clock'>;

/** A table whose rows are jobs; it has the columns `organization_id`, `id`, `state`, `token`, `attempts`, `held_until`. */
export interface LeasedTable<Row extends LeasedRow> {
  readonly name: string;
  /** The states of jobs that have not ended; default: `queued` and `running`. */
  readonly openStates?: readonly string[];
  /** The state of a job that is held; default: `running`. */
  readonly heldState?: string;
  /** Jobs of other kinds are left to processes that know them. */
  readonly kinds?: readonly string[];
  /**
   * Holders write batches in transactions that lock the row, so that a renewal waits for them: a lease lasts longer, and one
   * that ran out meanwhile is renewed as long as nobody else has taken the job.
   */
  readonly writesBatches?: boolean;
  /** Begins a short transaction: `inContext`, or `onPlatform` where rows of the platform are written too. */
  readonly within: <T>(db: Db, key: KeyOf<Row>, work: (trx: Trx) => Promise<T>) => Promise<T>;
  /** `stored` has names in camelCase. */
  toRow(stored: object): Row;
  /** Whether one more may begin; asked in the transaction of the claim. */
  mayBegin?(trx: Trx, key: KeyOf<Row>): Promise<boolean>;
  /** What a claim writes beside state, token, attempts and lease. */
  claimed?(trx: Trx, now: Date): object;
  /** What every write but a renewal writes beside. */
  written?(now: Date): object;
}

/** Thrown where the job is another's by now, was cancelled or has ended. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}

export type LeasedRows<Row extends LeasedRow> = ReturnType<typeof leasedRows<Row>>;

/** What holders do with the rows of a table. Each function but `writeIn` has a short transaction of its own. */
export function leasedRows<Row extends LeasedRow>(table: LeasedTable<Row>) {
  const { within, openStates = ['queued', 'running'], heldState: state = 'running', kinds, writesBatches } = table;
  const seconds = writesBatches ? longLeaseSeconds : leaseSeconds;
  const rowOf = (trx: Trx, { organizationId, id }: KeyOf<Row>) =>
    trx(table.name).where({ organizationId: storedOrganization(organizationId), id });
  const held = (trx: Trx, job: Row) => rowOf(trx, job).where({ token: job.token, state });
  const renewed = (db: Db | Trx) => ({ heldUntil: db.raw(leaseEnd(seconds)) });
  const isWritten = async (trx: Trx, job: Row, values: object) => (await held(trx, job).update(values)) === 1;

  /** False, and nothing is written: the lease is lost. `keep` writes what belongs to it, in the same transaction. */
  const write = (
    { db, clock }: Holding,
    job: Row,
    values: object,
    keep?: (trx: Trx) => Promise<void>,
  ): Promise<boolean> =>
    within(db, job, async (trx) => {
      const isMine = await isWritten(trx, job, { ...table.written?.(clock.now()), ...values });
      if (isMine) await keep?.(trx);
      return isMine;
    });

  return {
    /** The job, held from now on and counted as begun; undefined where another holds it, it has ended or may not begin. */
    claim: ({ db, clock }: Holding, key: KeyOf<Row>): Promise<Row | undefined> =>
      within(db, key, async (trx) => {
        if (table.mayBegin && !(await table.mayBegin(trx, key))) return undefined;
        const now = clock.now();
        const open = rowOf(trx, key).whereIn('state', [...openStates]);
        const [row]: object[] = await (kinds ? open.whereIn('kind', [...kinds]) : open)
          .whereRaw(isFree())
          .update({
            ...{ state, token: trx.raw('token + 1'), attempts: trx.raw('attempts + 1') },
            ...{ ...renewed(trx), ...table.written?.(now), ...table.claimed?.(trx, now) },
          })
          .returning('*');
        return row && table.toRow(row);
      }),
    /** Values that renew the lease with another write. */
    renewed,
    write,
    /** In a transaction of the caller. Throws LostLease. */
    async writeIn(trx: Trx, job: Row, values: object): Promise<void> {
      if (!(await isWritten(trx, job, values))) throw new LostLease();
    },
    /** False: the lease was lost, or ran out before. */
    renew: (db: Db, job: Row): Promise<boolean> =>
      within(db, job, async (trx) => {
        const mine = writesBatches ? held(trx, job) : held(trx, job).whereRaw('held_until > clock_timestamp()');
        return (await mine.update(renewed(trx))) === 1;
      }),
    /** `uncounted`: the attempt was interrupted, which is no fault of the job. */
    release: (holding: Holding, job: Row, { uncounted = false } = {}): Promise<boolean> =>
      write(holding, job, { heldUntil: null, ...(uncounted && { attempts: job.attempts - 1 }) }),
  };
}

export interface LeasedKind<Row extends LeasedRow> {
  /** In the log. */
  readonly name: string;
  readonly rows: LeasedRows<Row>;
  /** One of `core/platform/retries.ts`. */
  readonly retries: { readonly attempts: number };
  /** Works at the job to its end, or until it is released. Writes by `rows`; the lease is renewed meanwhile. */
  attempt(services: Services, job: Row, stop: AbortSignal | undefined): Promise<unknown>;
  /** Ends the job, in words of its own for the error. */
  fail(services: Services, job: Row, error: unknown): Promise<unknown>;
  /** Whether another attempt would end with the same error. */
  isFinal?(error: unknown): boolean;
  /** What happens before the next attempt; default: the job is released, and a sweep finds it. */
  pause?(services: Services, job: Row): Promise<unknown>;
  /** An attempt that fails because the process is about to end is released and not counted. */
  readonly isInterruptible?: boolean;
  /** A failed attempt is rethrown to the queue, which logs it and retries with pauses of its own. */
  readonly isRetriedByQueue?: boolean;
}

/**
 * Works at a job; false where another process does, or it may not begin. `stop`: the process is about to end, and begins
 * nothing more.
 */
export async function runLeased<Row extends LeasedRow>(
  services: Services,
  kind: LeasedKind<Row>,
  key: KeyOf<Row>,
  stop?: AbortSignal,
): Promise<boolean> {
  if (stop?.aborted) return false;
  const { rows } = kind;
  const job = await rows.claim(services, key);
  if (!job) return false;
  const attempt = () =>
    kind.attempt(services, job, stop).catch((error: unknown) => noteFailure(services, kind, job, error, stop));
  try {
    // A job that kills its process gets no further than to be begun.
    if (job.attempts > kind.retries.attempts) await kind.fail(services, job, new Error('begun too often'));
    else await whileRenewing(() => rows.renew(services.db, job), attempt);
  } catch (error) {
    if (!(error instanceof LostLease)) throw error;
  }
  return true;
}

async function noteFailure<Row extends LeasedRow>(
  services: Services,
  kind: LeasedKind<Row>,
  job: Row,
  error: unknown,
  stop: AbortSignal | undefined,
): Promise<void> {
  if (error instanceof LostLease || isDatabaseDown(error)) throw error;
  const { name, rows, isRetriedByQueue = false } = kind;
  if (stop?.aborted && kind.isInterruptible) return void (await rows.release(services, job, { uncounted: true }));
  const isFinal = kind.isFinal?.(error) ?? false;
  const isLast = isFinal || job.attempts >= kind.retries.attempts;
  if (!isFinal && (isLast || !isRetriedByQueue)) {
    const { organizationId, id: jobId, kind: kindOfJob, attempts } = job;
    const ids = { err: error, organizationId, jobId, kind: kindOfJob, attempts };
    services.log.error(ids, isLast ? `${name} given up` : `${name} failed; it is tried again`);
  }
  if (isLast) return void (await kind.fail(services, job, error));
  await (kind.pause ? kind.pause(services, job) : rows.release(services, job));
  if (isRetriedByQueue) throw error;
}
