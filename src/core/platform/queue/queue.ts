// A small interface over BullMQ: on PostgreSQL by default, on Redis with REDIS_URL. The queue contains ids and may be emptied
// at any time; the work to be done is stored in the database by the caller.
import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { jobRetries } from '../retries.ts';
import { shareConnections } from './connections.ts';

export interface Job {
  readonly queue: string;
  /** Unique while the job waits or runs; adding it again then changes nothing. No colon, not only digits. */
  readonly id: string;
  /** Ids only, never personal data. */
  readonly data: Readonly<Record<string, string | number>>;
}

export interface RunningWorker {
  /** Takes no new job and waits for running ones. */
  close(): Promise<void>;
}

/** The state of one queue over all processes. */
export interface QueueState {
  readonly waiting: number;
  readonly active: number;
  /** Jobs that failed and are retried later. */
  readonly delayed: number;
  /** Age of the oldest waiting job; 0 if there is none. */
  readonly oldestSeconds: number;
}

export interface Queues {
  add(jobs: readonly Job[]): Promise<void>;
  work(queue: string, concurrency: number, handle: (data: Job['data']) => Promise<void>): RunningWorker;
  /** Rejects if the store of the queues is unreachable. */
  ping(): Promise<void>;
  state(queue: string): Promise<QueueState>;
  close(): Promise<void>;
}

export interface QueueOptions {
  readonly log: Logger;
  /** Redis, if set. */
  readonly redisUrl?: string | undefined;
  /** PostgreSQL, as the run-time role. */
  readonly postgres: { readonly connectionString: string; readonly options?: string };
  /** Separates the queues of several services in one Redis. */
  readonly prefix?: string;
}

const jobOptions = {
  attempts: jobRetries.attempts,
  backoff: { type: 'exponential', delay: jobRetries.firstWaitMs },
  removeOnComplete: true,
  removeOnFail: true,
} as const;

/**
 * A job whose process died is taken over when its lock has expired and a check has noticed; a store that was unreachable is
 * tried again every second.
 */
const recovery = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 10, runRetryDelay: 1_000 } as const;

export function openQueues(options: QueueOptions): Queues {
  const { log } = options;
  const { Queue, Worker } = backendOf(options);
  const { connection, disconnect } = connectionOf(options);
  const common = { connection, ...(options.prefix !== undefined && { prefix: options.prefix }) };
  const open = new Map<string, InstanceType<typeof Queue>>();
  const openQueue = (name: string) => {
    const queue: InstanceType<typeof Queue> = new Queue(name, { ...common, defaultJobOptions: jobOptions });
    queue.on('error', (error) => log.warn({ err: error }, 'queue connection'));
    open.set(name, queue);
    // The library caches a failed first connection for ever, so such a queue is removed.
    queue.waitUntilReady().catch(() => {
      if (open.get(name) === queue) open.delete(name);
      queue.close().catch(() => {});
    });
    return queue;
  };
  const queueNamed = (name: string) => open.get(name) ?? openQueue(name);
  return {
    async add(jobs) {
      for (const name of new Set(jobs.map(({ queue }) => queue))) {
        const own = jobs.filter((job) => job.queue === name && hasValidId(job, log));
        await queueNamed(name).addBulk(own.map(({ id, data }) => ({ name, data, opts: { jobId: id } })));
      }
    },
    work(name, concurrency, handle) {
      const worker = new Worker(name, (job) => handle(job.data), { ...common, ...recovery, concurrency });
      worker.on('error', (error) => log.warn({ err: error }, 'worker connection'));
      worker.on('failed', (job, error) => log.error({ err: error, ...idsOf(name, job) }, 'job failed'));
      worker.on('stalled', (jobId) => log.warn({ queue: name, jobId }, 'job stalled; it is taken over'));
      return { close: () => worker.close() };
    },
    async ping() {
      await queueNamed('recompute').getJobCounts('waiting');
    },
    async state(name) {
      const queue = queueNamed(name);
      const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'active', 'delayed');
      // The two stores sort in opposite directions.
      const ends =
        waiting > 0 ? [await queue.getJobs(['waiting'], 0, 0), await queue.getJobs(['waiting'], -1, -1)] : [];
      const ages = ends.flat().map(({ timestamp }) => (Date.now() - timestamp) / 1_000);
      return { waiting, active, delayed, oldestSeconds: Math.max(0, ...ages) };
    },
    async close() {
      await Promise.all([...open.values()].map((queue) => queue.close()));
      await disconnect();
    },
  };
}

/** Filters jobs that the library would reject together with the rest of their batch. */
function hasValidId({ queue, id }: Job, log: Logger): boolean {
  const isValid = !id.includes(':') && !/^\d+$/.test(id);
  if (!isValid) log.error({ queue, jobId: id }, 'job with an invalid id was not added');
  return isValid;
}

const idsOf = (queue: string, job: bullmq.Job | undefined) => ({
  queue,
  jobId: job?.id,
  attempts: job?.attemptsMade,
  ...(job?.data as Job['data'] | undefined),
});

/** The library's classes for one of its two stores, which have the same interface. */
function backendOf({ redisUrl }: QueueOptions): Pick<typeof bullmq, 'Queue' | 'Worker'> {
  if (redisUrl !== undefined) return bullmq;
  return bullmq.withBackend(bullmq.createPostgresBackend) as unknown as Pick<typeof bullmq, 'Queue' | 'Worker'>;
}

interface SharedConnection {
  readonly connection: bullmq.ConnectionOptions;
  disconnect(): Promise<void> | void;
}

function connectionOf({ redisUrl, postgres, log }: QueueOptions): SharedConnection {
  if (redisUrl === undefined) {
    const { pool, close } = shareConnections(postgres, log);
    return { connection: pool, disconnect: close };
  }
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', (error) => log.warn({ err: error }, 'redis connection'));
  return { connection: redis, disconnect: () => redis.disconnect() };
}
