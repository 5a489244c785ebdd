// Long jobs, step by step. A job belongs to whoever holds its lock; a process that dies lets go of it, and the next one
// goes on where the last finished step ended.
import type { CapabilityJobs } from '../../jobs.ts';
import { inContext, isDatabaseDown, type Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { tryNamed } from '../../platform/locks.ts';
import type { Job } from '../../platform/queue.ts';
import type { Services } from '../../services.ts';
import { type JobKind, type JobRow, jobQueuedTopic, jobWriter } from './store.ts';

export interface Step<Position> {
  /** How many were done up to here, of all. */
  readonly done: number;
  readonly position: Position;
  readonly isLast: boolean;
  /** Rows that the step found, written together with its position. */
  readonly keep?: (trx: Trx) => Promise<void>;
}

/** One kind of job. Nothing it does outside `keep` may write. */
export interface JobModel<Input = unknown, Position = unknown> {
  readonly kind: JobKind;
  /** How many there are to do. */
  size(services: Services, job: JobRow<Input, Position>): Promise<number>;
  /** `position` is null at first. */
  step(services: Services, job: JobRow<Input, Position>, position: Position | null): Promise<Step<Position>>;
  report(services: Services, job: JobRow<Input, Position>, position: Position): Promise<unknown>;
  /** Rows that belong to the end of the job, written together with its report. */
  keepWithReport?(trx: Trx, job: JobRow<Input, Position>, report: unknown, now: Date): Promise<void>;
}

const queue = 'rule-jobs';
const maxFailures = 5;
const sweepEveryMs = 5_000;
const sweepLimit = 500;

const queueJob = ({ id, organizationId }: Pick<JobRow, 'id' | 'organizationId'>): Job => ({
  queue,
  id: `rule-job-${id}`,
  data: { jobId: id, organizationId },
});

export function longJobs(models: readonly JobModel[]): CapabilityJobs {
  return {
    reactions: [
      {
        name: 'rule-job',
        topics: [jobQueuedTopic],
        toJobs: async (_trx, events) =>
          events.map(({ organizationId, payload }) => queueJob({ id: String(payload.jobId), organizationId })),
      },
    ],
    handlers: [
      {
        queue,
        concurrency: 2,
        handle: (services, { jobId, organizationId }) =>
          runJob(services, models, { id: String(jobId), organizationId: String(organizationId) }),
      },
    ],
    schedules: [
      {
        name: 'rule-job-sweep',
        everyMs: sweepEveryMs,
        run: async ({ db }, queues) => queues.add((await inContext(db, 'SUPER', openJobs)).map(queueJob)),
      },
    ],
  };
}

/** Adding a job that still waits or runs changes nothing, so that the sweep need not know which ones were lost. */
const openJobs = (trx: Trx): Promise<Pick<JobRow, 'id' | 'organizationId'>[]> =>
  trx('rule_job')
    .whereIn('state', ['queued', 'running'])
    .orderBy('createdAt')
    .limit(sweepLimit)
    .select('id', 'organizationId');

/** Works a job to its end, unless another process is at it. */
export async function runJob(
  services: Services,
  models: readonly JobModel[],
  job: Pick<JobRow, 'id' | 'organizationId'>,
): Promise<void> {
  await services.db.transaction(async (lock) => {
    const [free] = await tryNamed(lock, 'ruleJob', [job.id]);
    if (free !== undefined) await workHeld(services, models, job);
  });
}

async function workHeld(
  services: Services,
  models: readonly JobModel[],
  { id, organizationId }: Pick<JobRow, 'id' | 'organizationId'>,
): Promise<void> {
  const writer = jobWriter(services.db, { id, organizationId }, () => services.clock.now());
  const job = await writer.load();
  const model = models.find(({ kind }) => kind === job?.kind);
  if (!job || !model || !(await writer.begin(job.total || (await sizeOf(services, model, job, writer))))) return;
  try {
    await workThrough(services, model, job, writer);
  } catch (error) {
    await noteFailure(error, job, writer);
  }
}

type Writer = ReturnType<typeof jobWriter>;

async function sizeOf(services: Services, model: JobModel, job: JobRow, writer: Writer): Promise<number> {
  try {
    return await model.size(services, job);
  } catch (error) {
    await noteFailure(error, job, writer);
    return 0;
  }
}

async function workThrough(services: Services, model: JobModel, job: JobRow, writer: Writer): Promise<void> {
  let { position } = job;
  for (let isLast = false; !isLast; ) {
    const step = await model.step(services, job, position);
    if (!(await writer.advance(step.done, step.position, step.keep))) return;
    ({ position, isLast } = step);
  }
  const report = await model.report(services, job, position);
  await writer.finish(report, async (trx) => model.keepWithReport?.(trx, job, report, services.clock.now()));
}

/** A refusal of ours will be the same the next time; anything else is tried again by the queue, a few times. */
async function noteFailure(error: unknown, job: JobRow, writer: Writer): Promise<void> {
  if (isDatabaseDown(error)) throw error;
  const failures = job.failures + 1;
  if (error instanceof AppError && error.status < 500) await writer.fail(error.details?.[0]?.issue ?? error.code);
  else if (failures >= maxFailures) await writer.fail(error instanceof AppError ? error.code : 'INTERNAL');
  else {
    await writer.countFailure(failures);
    throw error;
  }
}
