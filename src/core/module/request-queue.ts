// Serves a queue of coalescing requests (`platform/requests`): many keys of one organization together, each alone if that
// fails, failures noted on the rows, and a sweep that adds lost jobs.
import { inContext, type Trx } from '../platform/db.ts';
import { errorName, isParked } from '../platform/failures.ts';
import { chunks } from '../platform/pure/lists/chunks.ts';
import { eachInTurn } from '../platform/pure/lists/each-in-turn.ts';
import type { Job } from '../platform/queue/queue.ts';
import {
  countFailure,
  type KeyedJobs,
  keysOfJob,
  overdueJobs,
  type RequestQueue,
  type RequestTable,
} from '../platform/requests/requests.ts';
import { type AlertKind, openAlert } from './alerts.ts';
import type { CapabilityJobs, JobHandler } from './jobs.ts';
import type { Services } from './services.ts';

const sweepEveryMs = 5_000;
/** A job that is only slow is not added twice: its id keeps it unique while it waits. */
const overdueAfterMs = 10_000;
const sweepLimit = 1_000;

interface Serving<Key> extends Pick<JobHandler, 'concurrency' | 'priority'> {
  /** The name of the schedule. */
  readonly sweep: string;
  serve(services: Services, organizationId: string, keys: readonly Key[]): Promise<void>;
}

/** The handler of a queue's jobs, and the sweep that adds the jobs of requests which have waited too long. */
export const requestJobs = <Key extends string | number>(
  queue: RequestQueue<Key>,
  serving: Serving<Key>,
): Required<Pick<CapabilityJobs, 'handlers' | 'schedules'>> =>
  sweptJobs(queue, serving, (trx, now, waitedMs, limit) => overdueJobs(trx, queue, now, waitedMs, limit));

type Overdue = (trx: Trx, now: Date, waitedMs: number, limit: number) => Promise<Job[]>;

/** As `requestJobs`, for rows of another form, which `overdue` finds. */
export const sweptJobs = <Key extends string | number>(
  jobs: KeyedJobs<Key>,
  { concurrency, priority, sweep, serve }: Serving<Key>,
  overdue: Overdue,
): Required<Pick<CapabilityJobs, 'handlers' | 'schedules'>> => ({
  handlers: [
    {
      queue: jobs.queue,
      concurrency,
      ...(priority && { priority }),
      handle: (services, data) => serve(services, String(data.organizationId), keysOfJob(jobs, data)),
    },
  ],
  schedules: [
    {
      name: sweep,
      everyMs: sweepEveryMs,
      run: async ({ db, clock }, queues) => {
        const now = clock.now();
        await queues.add(await inContext(db, 'SUPER', (trx) => overdue(trx, now, overdueAfterMs, sweepLimit)));
      },
    },
  ],
});

type Noting = Pick<Services, 'db' | 'clock' | 'log' | 'metrics'>;

/** How failures of keys are recorded. */
export interface FailureNotes<Key extends string | number> extends RequestTable<Key> {
  /** The alert about the key that opens when a request is parked. */
  readonly parked?: AlertKind;
  /** Columns of that alert. */
  readonly about?: (key: Key) => Readonly<Record<string, string | number>>;
  /** Describes an error for the row. Default: its name. The text must contain no personal data. */
  readonly describe?: (error: unknown) => string;
  readonly onFailure?: (services: Pick<Services, 'metrics'>, what: 'failed' | 'parked') => void;
}

/** Serves one key. A failure is logged, noted on its request and thrown on. */
export async function serveNoted<Key extends string | number>(
  services: Noting,
  notes: FailureNotes<Key>,
  organizationId: string,
  key: Key,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    await noteFailure(services, notes, organizationId, key, error);
    throw error;
  }
}

async function noteFailure<Key extends string | number>(
  services: Noting,
  notes: FailureNotes<Key>,
  organizationId: string,
  key: Key,
  error: unknown,
): Promise<void> {
  const { describe = errorName, parked, about, onFailure, listed, name: table } = notes;
  const ids = { table, organizationId, [listed]: [key] };
  services.log.error({ err: error, ...ids }, 'a request could not be served');
  onFailure?.(services, 'failed');
  const now = services.clock.now();
  const attempts = await inContext(services.db, { organizationId }, async (trx) => {
    const failure = { lastError: describe(error), now };
    const attempts = await countFailure(trx, notes, organizationId, key, failure);
    if (!parked || attempts === undefined || !isParked({ attempts })) return undefined;
    const details = { attempts };
    await openAlert(trx, parked, { organizationId, subjectId: key, details, at: now, about: about?.(key) ?? {} });
    return attempts;
  });
  if (attempts === undefined) return;
  onFailure?.(services, 'parked');
  services.log.error({ ...ids, attempts }, 'a request is parked');
}

export interface TogetherElseAlone<Key> {
  together(keys: readonly Key[]): Promise<void>;
  alone(key: Key): Promise<void>;
  /** Those that are served alone where together it fails; default: all. */
  readonly own?: readonly Key[];
}

/** Serves all keys together, and each alone if that fails. Throws the first failure when all have been served. */
export async function togetherElseAlone<Key>(
  { log }: Pick<Services, 'log'>,
  ids: Readonly<Record<string, unknown>>,
  keys: readonly Key[],
  { together, alone, own = keys }: TogetherElseAlone<Key>,
): Promise<void> {
  try {
    await together(keys);
  } catch (error) {
    log.warn({ err: error, ...ids }, 'requests are served one by one: together they failed');
    await eachInTurn(own, alone);
  }
}

/** Serves any number of keys, `atOnce` in one go, with failures noted. Throws as `togetherElseAlone`. */
export function serveKeys<Key extends string | number>(
  services: Noting,
  queue: RequestQueue<Key> & FailureNotes<Key>,
  organizationId: string,
  keys: readonly Key[],
  together: (keys: readonly Key[]) => Promise<void>,
): Promise<void> {
  const { atOnce, listed, name: table } = queue;
  return eachInTurn(chunks(keys, atOnce), (group) =>
    togetherElseAlone(services, { table, organizationId, [listed]: group }, group, {
      together,
      alone: (key) => serveNoted(services, queue, organizationId, key, () => together([key])),
    }),
  );
}
