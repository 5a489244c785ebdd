// One attempt at a job under a lease, for any table. A lease has a token that grows with each holder; every write of a holder
// is conditional on its token, so that a process whose lease was taken over writes nothing more. No transaction is held while
// something is computed, rendered or fetched.
import type { Services } from '../module/services.ts';
import { type Db, isDatabaseDown, type Trx } from '../platform/db.ts';
import { isFree, leaseEnd, leaseSeconds, longLeaseSeconds, whileRenewing } from '../platform/leases.ts';
import { storedOrganization } from '../platform/pure/platform-organization.ts';

export interface LeasedRow {
  /** Null if the job concerns the whole platform. */
  readonly organizationId: string | null;
  readonly id: string;
  /** The kind in the log, if the table has jobs of several kinds. */
  readonly kind?: string;
  /** Grows with each holder. */
  readonly token: number;
  /** How often the job was begun, this attempt included. */
  readonly attempts: number;
}

type KeyOf<Row extends LeasedRow> = Pick<Row, 'organizationId' | 'id'>;
type LeaseServices = Pick<Services, 'db' | 'clock'>;

/** A table whose rows are jobs. It has the columns `organization_id`, `id`, `state`, `token`, `attempts` and `held_until`. */
export interface LeasedTable<Row extends LeasedRow> {
  readonly name: string;
  /** The states of jobs that have not ended. Default: `queued` and `running`. */
  readonly openStates?: readonly string[];
  /** The state of a leased job. Default: `running`. */
  readonly heldState?: string;
  /** The kinds that this process knows; jobs of other kinds are left to other processes. */
  readonly kinds?: readonly string[];
  /**
   * Holders write batches in transactions that lock the row, so that a renewal waits for them. The lease lasts longer, and an
   * expired lease is renewed as long as no other process has taken the job.
   */
  readonly writesBatches?: boolean;
  /** Begins a short transaction: `inContext`, or `onPlatform` if rows of the platform are written too. */
  readonly within: <T>(db: Db, key: KeyOf<Row>, work: (trx: Trx) => Promise<T>) => Promise<T>;
  /** Converts a stored row; its names are in camelCase. */
  toRow(stored: object): Row;
  /** Returns whether another job may begin. Called in the transaction of the claim. */
  mayBegin?(trx: Trx, key: KeyOf<Row>): Promise<boolean>;
  /** Further columns that a claim writes. */
  claimed?(trx: Trx, now: Date): object;
  /** Further columns that every write but a renewal writes. */
  written?(now: Date): object;
}

/** Thrown if another process holds the job, or it was cancelled or has ended. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}

export type LeasedRows<Row extends LeasedRow> = ReturnType<typeof leasedRows<Row>>;

/** The operations of lease holders on a table. Each function but `writeIn` opens a short transaction of its own. */
export function leasedRows<Row extends LeasedRow>(table: LeasedTable<Row>) {
  const { within, openStates = ['queued', 'running'], heldState: state = 'running', kinds, writesBatches } = table;
  const seconds = writesBatches ? longLeaseSeconds : leaseSeconds;
  const rowOf = (trx: Trx, { organizationId, id }: KeyOf<Row>) =>
    trx(table.name).where({ organizationId: storedOrganization(organizationId), id });
  const held = (trx: Trx, job: Row) => rowOf(trx, job).where({ token: job.token, state });
  const renewed = (db: Db | Trx) => ({ heldUntil: db.raw(leaseEnd(seconds)) });
  const writeHeld = async (trx: Trx, job: Row, values: object) => (await held(trx, job).update(values)) === 1;

  /** Returns false and writes nothing if the lease is lost. `keep` writes rows that belong to it in the same transaction. */
  const write = (
    { db, clock }: LeaseServices,
    job: Row,
    values: object,
    keep?: (trx: Trx) => Promise<void>,
  ): Promise<boolean> =>
    within(db, job, async (trx) => {
      const hasLease = await writeHeld(trx, job, { ...table.written?.(clock.now()), ...values });
      if (hasLease) await keep?.(trx);
      return hasLease;
    });

  return {
    /** Leases the job and counts the attempt. Returns undefined if another process holds it, it has ended or may not begin. */
    claim: ({ db, clock }: LeaseServices, key: KeyOf<Row>): Promise<Row | undefined> =>
      within(db, key, async (trx) => {
        if (table.mayBegin && !(await table.mayBegin(trx, key))) return undefined;
        const now = clock.now();
        const open = rowOf(trx, key).whereIn('state', [...openStates]);
        const [row]: object[] = await (kinds ? open.whereIn('kind', [...kinds]) : open)
          .whereRaw(isFree())
          .update({
            state,
            token: trx.raw('token + 1'),
            attempts: trx.raw('attempts + 1'),
            ...renewed(trx),
            ...table.written?.(now),
            ...table.claimed?.(trx, now),
          })
          .returning('*');
        return row && table.toRow(row);
      }),
    /** Columns that renew the lease as part of another write. */
    renewed,
    write,
    /** Writes in a transaction of the caller. Throws LostLease. */
    async writeIn(trx: Trx, job: Row, values: object): Promise<void> {
      if (!(await writeHeld(trx, job, values))) throw new LostLease();
    },
    /** Returns false if the lease was lost or has expired. */
    renew: (db: Db, job: Row): Promise<boolean> =>
      within(db, job, async (trx) => {
        const own = writesBatches ? held(trx, job) : held(trx, job).whereRaw('held_until > clock_timestamp()');
        return (await own.update(renewed(trx))) === 1;
      }),
    /** `uncounted`: the attempt was interrupted and does not count. */
    release: (services: LeaseServices, job: Row, { uncounted = false } = {}): Promise<boolean> =>
      write(services, job, { heldUntil: null, ...(uncounted && { attempts: job.attempts - 1 }) }),
  };
}

export interface LeasedKind<Row extends LeasedRow> {
  /** The name in the log. */
  readonly name: string;
  readonly rows: LeasedRows<Row>;
  /** One of `core/platform/retries.ts`. */
  readonly retries: { readonly attempts: number };
  /** Works at the job to its end, or until it is released. Writes by `rows`; the lease is renewed meanwhile. */
  attempt(services: Services, job: Row, stop: AbortSignal | undefined): Promise<unknown>;
  /** Ends the job as failed and stores the error in its own vocabulary. */
  fail(services: Services, job: Row, error: unknown): Promise<unknown>;
  /** Returns whether another attempt would fail with the same error. */
  isFinal?(error: unknown): boolean;
  /** Called before the next attempt. Default: the job is released, and a sweep finds it. */
  pause?(services: Services, job: Row): Promise<unknown>;
  /** An attempt that fails because the process ends is released and does not count. */
  readonly isInterruptible?: boolean;
  /** A failed attempt is rethrown to the queue, which logs it and retries with its own waits. */
  readonly isRetriedByQueue?: boolean;
}

/**
 * Runs one attempt. Returns false if another process holds the job or it may not begin. `stop` is aborted when the process is
 * about to end; then no attempt begins.
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
    // A job that kills its process is begun and never fails, so attempts are counted when they begin.
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
