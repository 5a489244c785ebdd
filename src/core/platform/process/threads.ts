// Threads for work that computes much: one for each core, started when there is work, ended when there has been none for
// a while. A thread that dies fails what it worked at and takes nothing else along; the next question starts another.
import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode, type ErrorExtras, unavailable } from '../errors.ts';
import { type Asker, FairQueue } from '../pure/lists/fair-queue.ts';
import { requireNoTransaction } from '../transactions/outside.ts';
import { threadProgram } from './thread-program.ts';

export interface ThreadsOptions {
  /** A path in the repository: `workers/steps/worker.ts`. */
  readonly program: string;
  /** What each thread finds as its `workerData`. */
  readonly data: unknown;
  /** Default: one a core, four at most. */
  readonly count?: number;
  /** How many questions one thread has at once. Default: two; while one waits for the database, the other is computed. */
  readonly perThread?: number;
  /** What a thread may hold, in MiB. Default: 512. */
  readonly heapMb?: number;
  readonly idleMs?: number;
  /** How long a question may take, without the time in which its thread starts. */
  readonly patienceMs?: number;
}

/** Nothing is known of what was asked: the thread died, ran out of memory, was late or was ended. */
export class ThreadLost extends Error {}

export interface Threads {
  /**
   * Throws what the task throws, and ThreadLost where the thread dies or takes longer than `patienceMs`. Throws
   * ENGINE_UNAVAILABLE where as many wait already as the turn bears.
   */
  ask(name: string, question: unknown, asking?: Asking): Promise<unknown>;
  /** Ends every thread; whoever waits for an answer is told so. */
  stop(): Promise<void>;
}

/** Who asks: those who wait are answered in turns (`FairQueue`). */
export interface Turn extends Asker {
  /** Default: it waits behind any number. */
  readonly mostWaiting?: number;
}

export interface Asking {
  /** Default: the service itself. */
  readonly turn?: Turn;
  /** Buffers of the question that the thread gets instead of a copy. */
  readonly transfer?: readonly ArrayBuffer[];
}

/** What a thread is told. */
export type Order = { readonly id: number; readonly name: string; readonly question: unknown } | { readonly end: true };

/** What a thread says: once that it has loaded, then an answer to each question. */
export type Reply = { readonly ready: true } | Answered;

type Answered = { readonly id: number } & (
  | { readonly answer: unknown }
  | { readonly refusal: ErrorExtras & { readonly code: ErrorCode; readonly message: string } }
  | { readonly failure: Pick<Error, 'name' | 'message' | 'stack'> & { readonly code?: unknown } }
);

interface Asked {
  readonly name: string;
  readonly question: unknown;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly asked: Map<number, Asked & { timer: NodeJS.Timeout }>;
  isReady: boolean;
  idle?: NodeJS.Timeout;
}

/** Work of the service itself. */
const nobody: Turn = { organizationId: null, userId: 0 };

/** Loading the code counts for nobody's question; on a busy machine it takes seconds. */
const startingMs = 60_000;
/** A thread that is asked to end lets go of what it has open. */
const endingMs = 500;
/** Much is made and dropped at once: a roomy young generation keeps it from being copied. */
const youngShare = 3 / 16;

export const startThreads = (options: ThreadsOptions): Threads => new ThreadPool(options);

class ThreadPool implements Threads {
  readonly #options: Required<ThreadsOptions>;
  readonly #threads = new Set<Thread>();
  readonly #waiting = new FairQueue<Asked>();
  #lastId = 0;

  constructor(options: ThreadsOptions) {
    this.#options = { ...defaults(), ...options };
  }

  async ask(name: string, question: unknown, { turn = nobody, transfer = [] }: Asking = {}): Promise<unknown> {
    requireNoTransaction(`asking a thread (${name})`);
    if (this.#waiting.size >= (turn.mostWaiting ?? Number.POSITIVE_INFINITY)) throw unavailable();
    return new Promise((resolve, reject) => {
      this.#waiting.push(turn, { name, question, transfer, resolve, reject });
      this.#handOut();
    });
  }

  async stop(): Promise<void> {
    for (const { name, reject } of this.#waiting.drain())
      reject(new ThreadLost(`the threads end before ${name} began`));
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)));
  }

  #handOut(): void {
    while (this.#waiting.size > 0) {
      const thread = this.#free();
      const asked = thread && this.#waiting.next();
      if (!asked) return;
      this.#give(thread, asked);
    }
  }

  /** The least busy thread, or a new one before any gets a second question. */
  #free(): Thread | undefined {
    const [least] = [...this.#threads].sort((one, other) => one.asked.size - other.asked.size);
    if (least?.asked.size !== 0 && this.#threads.size < this.#options.count) return this.#start();
    return least && least.asked.size < this.#options.perThread ? least : undefined;
  }

  #start(): Thread {
    const { program, data: workerData, heapMb } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: heapMb * youngShare };
    const worker = new Worker(threadProgram(program), { eval: true, workerData, resourceLimits });
    const thread: Thread = { worker, asked: new Map(), isReady: false };
    this.#threads.add(thread);
    worker.on('message', (reply: Reply) => {
      if ('ready' in reply) this.#begin(thread);
      else this.#settle(thread, reply);
    });
    worker.on('error', (error: Error) => this.#lose(thread, error.message));
    worker.on('exit', (code) => this.#lose(thread, `exit ${code}`));
    return thread;
  }

  #give(thread: Thread, asked: Asked): void {
    const timer = this.#timer(thread);
    this.#lastId += 1;
    thread.asked.set(this.#lastId, { ...asked, timer });
    clearTimeout(thread.idle);
    thread.worker.ref();
    const { name, question, transfer } = asked;
    try {
      thread.worker.postMessage({ id: this.#lastId, name, question } satisfies Order, transfer);
    } catch (error) {
      this.#settle(thread, { id: this.#lastId, failure: failureOf(error) });
    }
  }

  #timer(thread: Thread): NodeJS.Timeout {
    const forMs = thread.isReady ? this.#options.patienceMs : startingMs;
    return setTimeout(() => {
      this.#lose(thread, `no answer within ${forMs} ms`);
      void thread.worker.terminate();
    }, forMs);
  }

  /** The code is loaded: from now on the time of what was asked meanwhile is counted. */
  #begin(thread: Thread): void {
    thread.isReady = true;
    for (const asked of thread.asked.values()) {
      clearTimeout(asked.timer);
      asked.timer = this.#timer(thread);
    }
  }

  #settle(thread: Thread, reply: Answered): void {
    const asked = thread.asked.get(reply.id);
    if (!asked) return;
    clearTimeout(asked.timer);
    thread.asked.delete(reply.id);
    if ('answer' in reply) asked.resolve(reply.answer);
    else asked.reject(errorOf(reply));
    this.#handOut();
    if (thread.asked.size > 0) return;
    thread.worker.unref();
    thread.idle = setTimeout(() => void this.#end(thread), this.#options.idleMs).unref();
  }

  #lose(thread: Thread, why: string): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.idle);
    const asked = [...thread.asked.values()];
    thread.asked.clear();
    for (const { timer, name, reject } of asked) {
      clearTimeout(timer);
      reject(new ThreadLost(`a thread ended while it worked at ${name}: ${why}`));
    }
    this.#handOut();
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
  idleMs: 30_000,
  patienceMs: 120_000,
});

/** A question that cannot cross over is the fault of who asks. */
const failureOf = (error: unknown) =>
  error instanceof Error ? { name: error.name, message: error.message } : { name: 'Error', message: String(error) };

/** An error of a thread as if it had been thrown here. */
function errorOf(reply: Exclude<Answered, { answer: unknown }>): Error {
  if ('refusal' in reply) {
    const { code, message, ...extras } = reply.refusal;
    return new AppError(code, message, extras);
  }
  return Object.assign(new Error(reply.failure.message), reply.failure);
}
