// The threads of the live index in the process that serves requests. Each holds its own part of the students and nothing else, so
// that a question goes to all of them at once. A thread that dies fails the questions that it was asked, and the next one finds
// another thread, which loads anew.
import os from 'node:os';
import { type Connections, connectionsOf, type Db } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { startWorkerPool, ThreadLost, type WorkerPool } from '#core/platform/process/worker-pool.ts';
import type { DistributionCounts, DistributionQuestion, LiveCounts, LiveQuestion } from './question.ts';
import { type LiveServices, LiveTasks, type LiveTasksOptions } from './thread/tasks.ts';

/** The data that a thread is started with. */
export interface LiveData extends LiveTasksOptions {
  readonly connections: Connections;
}

/** The tasks of a thread, by name. */
export function liveTasks(services: LiveServices, options: LiveTasksOptions) {
  const tasks = new LiveTasks(services, options);
  return {
    count: (question: never) => tasks.count(question),
    distribution: (question: never) => tasks.distribution(question),
  };
}

export interface LiveThreads {
  /**
   * Returns what each thread counts for its students; null for a thread that is still being started when the time is up. Throws
   * ENGINE_UNAVAILABLE for a thread that dies meanwhile.
   */
  count(question: LiveQuestion): Promise<(LiveCounts | null)[]>;
  /** As `count`. */
  distribution(question: DistributionQuestion): Promise<(DistributionCounts | null)[]>;
  stop(): Promise<void>;
}

export interface LiveThreadsOptions {
  readonly db: Db;
  /** What all threads together may hold. */
  readonly indexMb: number;
  /** Default: one for each core, at most four. */
  readonly count?: number;
}

/** The index leaves the memory when no question has come for so long. */
const idleMs = 30 * 60_000;
/** A question ends by itself long before. */
const timeoutMs = 20_000;
/**
 * How much longer than its own time the answer of a started thread may take: for the turn in which its time ends, and on a busy
 * machine. A first answer does not wait for a thread to start.
 */
const graceMs = 400;

export function liveThreads({ db, indexMb, count = usualCount() }: LiveThreadsOptions): LiveThreads {
  const threads = Array.from({ length: count }, (_, number) => {
    const mostBytes = Math.floor((indexMb * 1024 * 1024) / count);
    const data: LiveData = { connections: connectionsOf(db), part: { number, count }, mostBytes };
    return new LiveThread(data, Math.max(512, indexMb));
  });
  const askAll = <Answer>(name: string, question: Timed) =>
    Promise.all(threads.map((thread) => thread.ask<Answer>(name, question)));
  return {
    count: (question) => askAll<LiveCounts>('count', question),
    distribution: (question) => askAll<DistributionCounts>('distribution', question),
    stop: async () => {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

interface Timed {
  readonly maxMs: number;
}

/** One thread, which is started again when it is asked after its end. */
class LiveThread {
  readonly #pool: WorkerPool;
  #isStarted = false;

  constructor(data: LiveData, heapMb: number) {
    const options = { count: 1, perThread: 64, heapMb, idleMs, timeoutMs };
    this.#pool = startWorkerPool({ program: 'workers/live/worker.ts', data, ...options });
  }

  ask<Answer>(name: string, question: Timed): Promise<Answer | null> {
    return inTime(question.maxMs + (this.#isStarted ? graceMs : 0), this.#answer<Answer>(name, question));
  }

  async #answer<Answer>(name: string, question: Timed): Promise<Answer> {
    try {
      const answer = (await this.#pool.run(name, question)) as Answer;
      this.#isStarted = true;
      return answer;
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      this.#isStarted = false;
      throw unavailable('This could not be worked out now. Please try again.');
    }
  }

  stop(): Promise<void> {
    return this.#pool.stop();
  }
}

const usualCount = (): number => Math.min(4, os.availableParallelism());

async function inTime<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  answer.catch(() => {});
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
