// Each process reports every few seconds that it runs. The write also shows whether the database accepts writes.
import type { Logger } from 'pino';
import type { Capability } from '#core/module/capability.ts';
import type { Clock } from '#core/platform/clock.ts';
import { type Unwritable, unwritable } from '#core/platform/database-errors.ts';
import type { Db, Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { ProcessRole } from './enums.ts';
import { queueNamesOf } from './queue-states.ts';

/** Milliseconds on the machine's clock. */
const everyMs = 5_000;
/** A process without a report for this long counts as gone. */
const goneAfterMs = 15_000;
/** Rows of processes that are gone are kept a little longer, so that no process is removed because clocks differ slightly. */
const removedAfterMs = 4 * goneAfterMs;

export interface WriteWatch {
  /** `ok`, or the reason why the database has refused writes lately. */
  readonly state: () => Unwritable | 'ok';
}

/**
 * Watches every failed statement of `db`. A small row may still fit on a full disk, so a refused write of any request counts
 * until every process has had the time to report again.
 */
export function watchWrites(db: Db, nowMs: () => number = () => performance.now()): WriteWatch {
  let refused: { readonly why: Unwritable; readonly atMs: number } | undefined;
  db.on('query-error', (error: unknown) => {
    const why = unwritable(error);
    if (why !== undefined) refused = { why, atMs: nowMs() };
  });
  return { state: () => (refused && nowMs() - refused.atMs < goneAfterMs ? refused.why : 'ok') };
}

export interface ProcessReporter {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly role: ProcessRole;
  readonly version: string;
  readonly capabilities: readonly Capability[];
}

/**
 * Reports now and every five seconds until the returned function is called. That function does not wait, because a database
 * that does not respond must not delay the end of the process; its report soon expires anyway.
 */
export function reportProcess(reporter: ProcessReporter): () => Promise<void> {
  const { db, clock, log, role, version, capabilities } = reporter;
  const process = { id: newId(), role, version, queues: role === 'api' ? [] : queueNamesOf(capabilities) };
  let isWriting = false;
  const report = async () => {
    if (isWriting) return;
    isWriting = true;
    await writeReport(db, process, clock.now())
      .catch((error: unknown) => log.debug({ err: error }, 'the report of this process is not written'))
      .finally(() => {
        isWriting = false;
      });
  };
  void report();
  const timer = setInterval(() => void report(), everyMs).unref();
  return async () => clearInterval(timer);
}

/** Rows of processes that are gone are removed, and those from after a Clock that was set back. */
async function writeReport(db: Db, { id, role, version, queues }: ReportedProcess, seenAt: Date): Promise<void> {
  await rowsOf(
    db,
    `with gone as (delete from process_report where seen_at not between :before and :after and id <> :id)
     insert into process_report (id, role, version, seen_at, queues) values (:id, :role, :version, :seenAt, :queues)
     on conflict (id) do update set seen_at = excluded.seen_at`,
    { ...{ id, role, version, queues, seenAt: seenAt.toISOString() }, ...around(seenAt, removedAfterMs) },
  );
}

const around = (moment: Date, ms: number) => ({
  before: new Date(moment.getTime() - ms).toISOString(),
  after: new Date(moment.getTime() + ms).toISOString(),
});

interface ReportedProcess {
  readonly id: string;
  readonly role: ProcessRole;
  readonly version: string;
  /** The queues whose jobs it runs. */
  readonly queues: string[];
}

export interface LivingProcess extends ReportedProcess {
  readonly seenAt: string;
}

/** Returns the processes that have reported lately, by role and age. */
export const livingProcesses = (db: Db | Trx, now: Date): Promise<LivingProcess[]> =>
  rowsOf(
    db,
    `select id, role, version, seen_at, queues from process_report where seen_at between :before and :after
     order by role, id limit 500`,
    around(now, goneAfterMs),
  );
