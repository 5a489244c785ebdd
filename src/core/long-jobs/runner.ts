// Long jobs, step by step. A job belongs to whoever holds its lease; a process that dies lets it run out, and the next one
// goes on where the last finished step ended.
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
 * Works a job to its end, unless another process is at it. `stop`: the process is about to end; the job is released after its
 * current step, and the sweep of another process finds it.
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
    if (model) await workThrough(services, model, job, stop);
  },
  isFinal: (error) => error instanceof AppError && error.status < 500,
  fail: (services, job, error) => holderOf(services, job).fail(issueOf(error)),
  isRetriedByQueue: true,
});

/** A refusal of ours will be the same the next time. */
function issueOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'INTERNAL';
  return error.status < 500 ? (error.details?.[0]?.issue ?? error.code) : error.code;
}

async function workThrough(
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
