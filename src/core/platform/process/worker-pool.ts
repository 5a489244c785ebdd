// A pool of worker threads for CPU-bound tasks: at most one thread per core, started when there is work and ended after an idle
// time. A thread that dies fails only its own tasks; the next task starts another thread.
import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode, type ErrorExtras, unavailable } from '../errors.ts';
import { FairQueue, type Requester } from '../pure/lists/fair-queue.ts';
import { requireNoTransaction } from '../transactions/outside.ts';
import { threadProgram } from './thread-program.ts';

export interface WorkerPoolOptions {
  /** A path in the repository: `workers/steps/worker.ts`. */
  readonly program: string;
  /** The `workerData` of each thread. */
  readonly data: unknown;
  /** The maximum number of threads. Default: one per core, at most four. */
  readonly count?: number;
  /** The number of tasks of one thread at once. Default: two; while one waits for the database, the other computes. */
  readonly perThread?: number;
  /** The heap limit of a thread, in MiB. Default: 512. */
  readonly heapMb?: number;
  /**
   * The limit of the young generation of a thread, in MiB. Default: 96, which avoids copying what long tasks allocate and drop.
   * A pool that runs in every process takes less: V8 keeps what the young generation has once had, and the process seems to grow.
   */
  readonly youngMb?: number;
  readonly idleMs?: number;
  /** How long a task may take, excluding the start of its thread. */
  readonly timeoutMs?: number;
}

/** The outcome of a task is unknown: its thread died, ran out of memory, exceeded the timeout or was ended. */
export class ThreadLost extends Error {}

export interface WorkerPool {
  /**
   * Runs a task by name and returns its result. Throws the error of the task, ThreadLost if the thread dies or takes longer than
   * `timeoutMs`, and ENGINE_UNAVAILABLE if more tasks are waiting than the owner accepts.
   */
  run(name: string, question: unknown, options?: TaskOptions): Promise<unknown>;
  /** Ends every thread; unfinished tasks fail with ThreadLost. */
  stop(): Promise<void>;
}

/** The requester of a task: waiting tasks are started in turns of organizations and people (`FairQueue`). */
export interface TaskOwner extends Requester {
  /** The task is refused if this many are waiting. Default: no limit. */
  readonly mostWaiting?: number;
}

export interface TaskOptions {
  /** Default: the service itself. */
  readonly owner?: TaskOwner;
  /** Buffers of the question that are transferred to the thread instead of copied. */
  readonly transfer?: readonly ArrayBuffer[];
}

/** A message to a thread. */
export type Order = { readonly id: number; readonly name: string; readonly question: unknown } | { readonly end: true };

/** A message of a thread: `ready` once its code is loaded, then a reply to each order. */
export type WorkerReply = { readonly ready: true } | Answered;

type Answered = { readonly id: number } & (
  | { readonly answer: unknown }
  | { readonly refusal: ErrorExtras & { readonly code: ErrorCode; readonly message: string } }
  | { readonly failure: Pick<Error, 'name' | 'message' | 'stack'> & { readonly code?: unknown } }
);

interface PendingTask {
  readonly name: string;
  readonly question: unknown;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly tasks: Map<number, PendingTask & { timer: NodeJS.Timeout }>;
  isReady: boolean;
  idle?: NodeJS.Timeout;
}

/** The owner of tasks of the service itself. */
const serviceOwner: TaskOwner = { organizationId: null, userId: 0 };

/** The timeout while the thread loads its code, which takes seconds on a busy machine. */
const startingMs = 60_000;
/** The time in which an ending thread may close its resources. */
const endingMs = 500;

export const startWorkerPool = (options: WorkerPoolOptions): WorkerPool => new Pool(options);

class Pool implements WorkerPool {
  readonly #options: Required<WorkerPoolOptions>;
  readonly #threads = new Set<Thread>();
  readonly #waiting = new FairQueue<PendingTask>();
  #lastId = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = { ...defaults(), ...options };
  }

  async run(
    name: string,
    question: unknown,
    { owner = serviceOwner, transfer = [] }: TaskOptions = {},
  ): Promise<unknown> {
    requireNoTransaction(`running a task in a thread (${name})`);
    if (this.#waiting.size >= (owner.mostWaiting ?? Number.POSITIVE_INFINITY)) throw unavailable();
    return new Promise((resolve, reject) => {
      this.#waiting.push(owner, { name, question, transfer, resolve, reject });
      this.#dispatch();
    });
  }

  async stop(): Promise<void> {
    for (const { name, reject } of this.#waiting.drain())
      reject(new ThreadLost(`the threads end before ${name} began`));
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)));
  }

  #dispatch(): void {
    while (this.#waiting.size > 0) {
      const thread = this.#freeThread();
      const task = thread && this.#waiting.next();
      if (!task) return;
      this.#send(thread, task);
    }
  }

  /** Returns the least busy thread, or starts a new one before any gets a second task. */
  #freeThread(): Thread | undefined {
    const [least] = [...this.#threads].sort((one, other) => one.tasks.size - other.tasks.size);
    if (least?.tasks.size !== 0 && this.#threads.size < this.#options.count) return this.#start();
    return least && least.tasks.size < this.#options.perThread ? least : undefined;
  }

  #start(): Thread {
    const { program, data: workerData, heapMb, youngMb } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb };
    const worker = new Worker(threadProgram(program), { eval: true, workerData, resourceLimits });
    const thread: Thread = { worker, tasks: new Map(), isReady: false };
    this.#threads.add(thread);
    worker.on('message', (reply: WorkerReply) => {
      if ('ready' in reply) this.#markReady(thread);
      else this.#settle(thread, reply);
    });
    worker.on('error', (error: Error) => this.#lose(thread, error.message));
    worker.on('exit', (code) => this.#lose(thread, `exit ${code}`));
    return thread;
  }

  #send(thread: Thread, task: PendingTask): void {
    const timer = this.#timer(thread);
    this.#lastId += 1;
    thread.tasks.set(this.#lastId, { ...task, timer });
    clearTimeout(thread.idle);
    thread.worker.ref();
    const { name, question, transfer } = task;
    try {
      thread.worker.postMessage({ id: this.#lastId, name, question } satisfies Order, transfer);
    } catch (error) {
      this.#settle(thread, { id: this.#lastId, failure: failureOf(error) });
    }
  }

  #timer(thread: Thread): NodeJS.Timeout {
    const forMs = thread.isReady ? this.#options.timeoutMs : startingMs;
    return setTimeout(() => {
      this.#lose(thread, `no answer within ${forMs} ms`);
      void thread.worker.terminate();
    }, forMs);
  }

  /** Called when the code is loaded: the timeouts of tasks that were sent before begin now. */
  #markReady(thread: Thread): void {
    thread.isReady = true;
    for (const task of thread.tasks.values()) {
      clearTimeout(task.timer);
      task.timer = this.#timer(thread);
    }
  }

  #settle(thread: Thread, reply: Answered): void {
    const task = thread.tasks.get(reply.id);
    if (!task) return;
    clearTimeout(task.timer);
    thread.tasks.delete(reply.id);
    if ('answer' in reply) task.resolve(reply.answer);
    else task.reject(errorOf(reply));
    this.#dispatch();
    if (thread.tasks.size > 0) return;
    thread.worker.unref();
    thread.idle = setTimeout(() => void this.#end(thread), this.#options.idleMs).unref();
  }

  #lose(thread: Thread, why: string): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.idle);
    const tasks = [...thread.tasks.values()];
    thread.tasks.clear();
    for (const { timer, name, reject } of tasks) {
      clearTimeout(timer);
      reject(new ThreadLost(`a thread ended while it worked at ${name}: ${why}`));
    }
    this.#dispatch();
  }

  async #end(thread: Thread): Promise<void> {
    const ended = new Promise((resolve) => thread.worker.once('exit', resolve));
    this.#lose(thread, 'it was ended');
    thread.worker.postMessage({ end: true } satisfies Order);
    const timer = setTimeout(() => void thread.worker.terminate(), endingMs).unref();
    await ended;
    clearTimeout(timer);
  }
}

const defaults = () => ({
  count: Math.min(4, os.availableParallelism()),
  perThread: 2,
  heapMb: 512,
  youngMb: 96,
  idleMs: 30_000,
  timeoutMs: 120_000,
});

/** The failure of a question that cannot be cloned into the thread; it is an error of the caller. */
const failureOf = (error: unknown) =>
  error instanceof Error ? { name: error.name, message: error.message } : { name: 'Error', message: String(error) };

/** Returns the error of a thread as if it had been thrown here. */
function errorOf(reply: Exclude<Answered, { answer: unknown }>): Error {
  if ('refusal' in reply) {
    const { code, message, ...extras } = reply.refusal;
    return new AppError(code, message, extras);
  }
  return Object.assign(new Error(reply.failure.message), reply.failure);
}
