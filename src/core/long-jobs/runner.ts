// Runs long jobs step by step. A job belongs to the holder of its lease. If the process dies, the lease expires, and the next
// holder continues after the last finished step.
import type { CapabilityJobs } from '../module/jobs.ts';
import type { Services } from '../module/services.ts';
import type { Clock } from '../platform/clock.ts';
import type { Trx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import type { Job } from '../platform/queue/queue.ts';
import { stepRetries } from '../platform/retries.ts';
import type { JobKind } from './enums.ts';
import { jobQueued } from './events.ts';
import { holderOf, jobRows } from './lease.ts';
import { type LeasedKind, runLeased } from './leased-job.ts';
import { queuedJobs } from './queued-jobs.ts';
import type { JobRow } from './store.ts';

export interface JobStep<Position> {
  /** How many units are done so far. */
  readonly done: number;
  readonly position: Position;
  readonly isLast: boolean;
  /** Writes the results of the step in the transaction of its position. */
  readonly keep?: (trx: Trx) => Promise<void>;
}

/**
 * One kind of job. No transaction is held while it computes. What belongs to the job is written by `keep` and `saveWithReport`,
 * together with the position; rows that a step writes in transactions of its own may be written twice.
 */
export interface JobModel<Input = unknown, Position = unknown> {
  readonly kind: JobKind;
  /** Returns the total number of units. */
  size(services: Services, job: JobRow<Input, Position>): Promise<number>;
  /** Runs the next step. `position` is null before the first one. */
  step(services: Services, job: JobRow<Input, Position>, position: Position | null): Promise<JobStep<Position>>;
  report(services: Services, job: JobRow<Input, Position>, position: Position): Promise<unknown>;
  /** Writes further rows in the transaction of the report. */
  saveWithReport?(trx: Trx, job: JobRow<Input, Position>, report: unknown, clock: Clock): Promise<void>;
}

/** Recomputes have a queue of their own, so that students do not wait behind impacts and replays. */
const queues = { impact: 'rule-jobs', replay: 'rule-jobs', recompute: 'rule-recomputes' } as const;
/** Concurrent jobs of one process. Recomputes share it with the work that students wait for. */
const concurrency = { 'rule-jobs': 2, 'rule-recomputes': 1 } as const;

type JobKey = Pick<JobRow, 'id' | 'organizationId'>;

export function longJobs(models: readonly JobModel[]): CapabilityJobs {
  const handle = (services: Services, { jobId, organizationId }: Job['data'], stop: AbortSignal) =>
    runJob(services, models, { id: String(jobId), organizationId: String(organizationId) || null }, stop);
  return {
    handlers: Object.entries(concurrency).map(([queue, most]) => ({ queue, concurrency: most, handle })),
    ...queuedJobs<JobKind>({
      table: 'rule_job',
      name: 'rule-job',
      ordered: jobQueued,
      sweepEveryMs: 5_000,
      mostOfKind: 500,
      toQueue: ({ id, kind, organizationId }) => ({
        queue: queues[kind],
        id: `rule-job-${id}`,
        data: { jobId: id, organizationId: organizationId ?? '' },
      }),
    }),
  };
}

/**
 * Runs a job to its end unless another process holds it. After `stop` is aborted the job is released after its current step,
 * and the sweep of another process finds it.
 */
export async function runJob(
  services: Services,
  models: readonly JobModel[],
  key: JobKey,
  stop?: AbortSignal,
): Promise<void> {
  await runLeased(services, kindOf(models), key, stop);
}

const kindOf = (models: readonly JobModel[]): LeasedKind<JobRow> => ({
  name: 'long job',
  rows: jobRows(models.map(({ kind }) => kind)),
  retries: stepRetries,
  attempt: async (services, job, stop) => {
    const model = models.find(({ kind }) => kind === job.kind);
    if (model) await runSteps(services, model, job, stop);
  },
  isFinal: (error) => error instanceof AppError && error.status < 500,
  fail: (services, job, error) => holderOf(services, job).fail(issueOf(error)),
  isRetriedByQueue: true,
});

/** A refusal (status below 500) would be the same on the next attempt, so its issue is stored. */
function issueOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'INTERNAL';
  return error.status < 500 ? (error.details?.[0]?.issue ?? error.code) : error.code;
}

async function runSteps(
  services: Services,
  model: JobModel,
  job: JobRow,
  stop: AbortSignal | undefined,
): Promise<void> {
  const holder = holderOf(services, job);
  if (job.total === 0 && !(await holder.size(await model.size(services, job)))) return;
  let { position } = job;
  for (let isLast = false; !isLast; ) {
    const step = await model.step(services, job, position);
    if (!(await holder.advance(step.done, step.position, step.keep))) return;
    ({ position, isLast } = step);
    job.attempts = 0;
    if (stop?.aborted && !isLast) return void (await holder.release());
  }
  const report = await model.report(services, job, position);
  await holder.finish(report, async (trx) => model.saveWithReport?.(trx, job, report, services.clock));
}
