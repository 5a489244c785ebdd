// Long jobs, step by step. A job belongs to whoever holds its lease; a process that dies lets it run out, and the next one
// goes on where the last finished step ended.
import { type CapabilityJobs, reaction } from '../module/jobs.ts';
import type { Services } from '../module/services.ts';
import type { Clock } from '../platform/clock.ts';
import { inContext, isDatabaseDown, type Trx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import type { Job } from '../platform/queue/queue.ts';
import type { JobKind } from './enums.ts';
import { jobQueued } from './events.ts';
import { claimJob, holderOf, type JobHolder } from './lease.ts';
import type { JobRow } from './store.ts';

export interface Step<Position> {
  /** How many were done up to here, of all. */
  readonly done: number;
  readonly position: Position;
  readonly isLast: boolean;
  /** Rows that the step found, written together with its position. */
  readonly keep?: (trx: Trx) => Promise<void>;
}

/**
 * One kind of job. It holds no transaction while it works things out. What belongs to the job is written by `keep` and
 * `saveWithReport`, together with the position; what else a step writes, in transactions of its own, may be written twice.
 */
export interface JobModel<Input = unknown, Position = unknown> {
  readonly kind: JobKind;
  /** How many there are to do. */
  size(services: Services, job: JobRow<Input, Position>): Promise<number>;
  /** `position` is null at first. */
  step(services: Services, job: JobRow<Input, Position>, position: Position | null): Promise<Step<Position>>;
  report(services: Services, job: JobRow<Input, Position>, position: Position): Promise<unknown>;
  /** Rows that belong to the end of the job, written together with its report. */
  saveWithReport?(trx: Trx, job: JobRow<Input, Position>, report: unknown, clock: Clock): Promise<void>;
}

/** Students who wait for their new results never stand behind what somebody would like to know. */
const queues = { impact: 'rule-jobs', replay: 'rule-jobs', recompute: 'rule-recomputes' } as const;
/** Jobs of one process at a time. Recomputes share it with what students wait for just now. */
const concurrency = { 'rule-jobs': 2, 'rule-recomputes': 1 } as const;
const maxAttempts = 5;
const renewEveryMs = 5_000;
const sweepEveryMs = 5_000;
const sweepLimit = 500;

type JobKey = Pick<JobRow, 'id' | 'organizationId'>;
type QueuedJob = JobKey & Pick<JobRow, 'kind'>;

const queueJob = ({ id, kind, organizationId }: QueuedJob): Job => ({
  queue: queues[kind],
  id: `rule-job-${id}`,
  data: { jobId: id, organizationId: organizationId ?? '' },
});

export function longJobs(models: readonly JobModel[]): CapabilityJobs {
  const handle = (services: Services, { jobId, organizationId }: Job['data'], stop: AbortSignal) =>
    runJob(services, models, { id: String(jobId), organizationId: String(organizationId) || null }, stop);
  return {
    reactions: [
      reaction({
        name: 'rule-job',
        to: [jobQueued],
        toJobs: async (trx, events) =>
          (
            await openAmong(
              trx,
              events.map(({ payload }) => payload.jobId),
            )
          ).map(queueJob),
      }),
    ],
    handlers: Object.entries(concurrency).map(([queue, most]) => ({ queue, concurrency: most, handle })),
    schedules: [
      {
        name: 'rule-job-sweep',
        everyMs: sweepEveryMs,
        run: async ({ db }, queued) => queued.add((await inContext(db, 'SUPER', allOpen)).map(queueJob)),
      },
    ],
  };
}

const openJobs = (trx: Trx) =>
  trx('rule_job').whereIn('state', ['queued', 'running']).select('id', 'kind', 'organizationId');

const openAmong = (trx: Trx, ids: readonly string[]): Promise<QueuedJob[]> => openJobs(trx).whereIn('id', [...ids]);

/**
 * Adding a job that still waits or runs changes nothing, so that the sweep need not know which ones were lost. Of each
 * queue the oldest: thousands of pieces of a recompute do not hide an impact.
 */
async function allOpen(trx: Trx): Promise<QueuedJob[]> {
  const found = kindsByQueue.map((kinds) =>
    openJobs(trx)
      .whereIn('kind', [...kinds])
      .orderBy('createdAt')
      .limit(sweepLimit),
  );
  return (await Promise.all(found)).flat();
}

const kindsByQueue = Object.keys(concurrency).map((queue) =>
  (Object.keys(queues) as JobKind[]).filter((kind) => queues[kind] === queue),
);

/**
 * Works a job to its end, unless another process is at it. `stop`: the process is about to end; the job is let go after
 * its current step, and the sweep of another process finds it.
 */
export async function runJob(
  services: Services,
  models: readonly JobModel[],
  key: JobKey,
  stop?: AbortSignal,
): Promise<void> {
  if (stop?.aborted) return;
  const clock = () => services.clock.now();
  const kinds = models.map(({ kind }) => kind);
  const job = await claimJob(services.db, key, kinds, clock);
  const model = models.find(({ kind }) => kind === job?.kind);
  if (!job || !model) return;
  const holder = holderOf(services.db, job, clock);
  // A job that kills its process gets no further than to be begun.
  if (job.attempts > maxAttempts) return void (await holder.fail('INTERNAL'));
  const renewal = setInterval(() => void holder.renew().catch(() => {}), renewEveryMs);
  const tries = { sinceItGotOn: job.attempts };
  try {
    await workThrough(services, model, job, holder, tries, stop);
  } catch (error) {
    await noteFailure(error, tries, holder);
  } finally {
    clearInterval(renewal);
  }
}

interface Tries {
  sinceItGotOn: number;
}

async function workThrough(
  services: Services,
  model: JobModel,
  job: JobRow,
  holder: JobHolder,
  tries: Tries,
  stop: AbortSignal | undefined,
): Promise<void> {
  if (job.total === 0 && !(await holder.size(await model.size(services, job)))) return;
  let { position } = job;
  for (let isLast = false; !isLast; ) {
    const step = await model.step(services, job, position);
    if (!(await holder.advance(step.done, step.position, step.keep))) return;
    ({ position, isLast } = step);
    tries.sinceItGotOn = 0;
    if (stop?.aborted && !isLast) return void (await holder.release());
  }
  const report = await model.report(services, job, position);
  await holder.finish(report, async (trx) => model.saveWithReport?.(trx, job, report, services.clock));
}

/** A refusal of ours will be the same the next time; anything else is tried again by the queue, a few times. */
async function noteFailure(error: unknown, { sinceItGotOn }: Tries, holder: JobHolder): Promise<void> {
  if (isDatabaseDown(error)) throw error;
  if (error instanceof AppError && error.status < 500) await holder.fail(error.details?.[0]?.issue ?? error.code);
  else if (sinceItGotOn >= maxAttempts) await holder.fail(error instanceof AppError ? error.code : 'INTERNAL');
  else {
    await holder.release();
    throw error;
  }
}
