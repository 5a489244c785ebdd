// BullMQ behind one small door: on PostgreSQL by default, on Redis with REDIS_URL. The queue carries ids and may be
// emptied at any moment; whoever adds jobs keeps what is to be done in the database.
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
  /** Takes no new job and waits for those that run. */
  close(): Promise<void>;
}

/** Of one queue, over all processes. */
export interface QueueState {
  readonly waiting: number;
  readonly active: number;
  /** Failed, and tried again later. */
  readonly delayed: number;
  /** Age of the oldest job that waits; 0 when none does. */
  readonly oldestSeconds: number;
}

export interface Queues {
  add(jobs: readonly Job[]): Promise<void>;
  work(queue: string, concurrency: number, handle: (data: Job['data']) => Promise<void>): RunningWorker;
  /** Rejects when the queue's store cannot be reached. */
  ping(): Promise<void>;
  state(queue: string): Promise<QueueState>;
  close(): Promise<void>;
}

export interface QueueOptions {
  readonly log: Logger;
  /** Either Redis… */
  readonly redisUrl?: string | undefined;
  /** …or PostgreSQL, as the run-time role. */
  readonly postgres: { readonly connectionString: string; readonly options?: string };
  /** Keeps the queues of several services in one Redis apart. */
  readonly prefix?: string;
}

const jobOptions = {
  attempts: jobRetries.attempts,
  backoff: { type: 'exponential', delay: jobRetries.firstWaitMs },
  removeOnComplete: true,
  removeOnFail: true,
} as const;

/** A job whose process died is taken up again after the lock has run out and a check has noticed; a store that was away
 *  is asked again every second. */
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
    // The library remembers for ever that a first connection failed; such a queue is not kept.
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
        const own = jobs.filter((job) => job.queue === name && isUsable(job, log));
        await queueNamed(name).addBulk(own.map(({ id, data }) => ({ name, data, opts: { jobId: id } })));
      }
    },
    work(name, concurrency, handle) {
      const worker = new Worker(name, (job) => handle(job.data), { ...common, ...recovery, concurrency });
      worker.on('error', (error) => log.warn({ err: error }, 'worker connection'));
      worker.on('failed', (job, error) => log.error({ err: error, ...idsOf(name, job) }, 'job failed'));
      worker.on('stalled', (jobId) => log.warn({ queue: name, jobId }, 'job broke off; it is taken up again'));
      return { close: () => worker.close() };
    },
    async ping() {
      await queueNamed('recompute').getJobCounts('waiting');
    },
    async state(name) {
      const queue = queueNamed(name);
      const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'active', 'delayed');
      // The two stores disagree about which end comes first.
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

/** What the library would refuse is left out: it must not take the rest of its batch with it. */
function isUsable({ queue, id }: Job, log: Logger): boolean {
  const usable = !id.includes(':') && !/^\d+$/.test(id);
  if (!usable) log.error({ queue, jobId: id }, 'job with an unusable id left out');
  return usable;
}

const idsOf = (queue: string, job: bullmq.Job | undefined) => ({
  queue,
  jobId: job?.id,
  attempts: job?.attemptsMade,
  ...(job?.data as Job['data'] | undefined),
});

/** The library's classes for one of its two stores; both have the same shape. */
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
