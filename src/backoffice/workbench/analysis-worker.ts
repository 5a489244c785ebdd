// Texts are analysed in worker threads: every author may write a text that takes hours or all memory to analyse. At most two workers
// run, each with limits of time and memory; a worker that exceeds one is ended.
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode, type ErrorExtras, invalid, unavailable } from '#core/platform/errors.ts';
import { boundedQueue } from '#core/platform/process/bounded-queue.ts';
import { threadProgram } from '#core/platform/process/thread-program.ts';
import { requireNoTransaction } from '#core/platform/transactions/outside.ts';
import type { DocumentName, Explanation, FactValue, RuleDocument } from '#rules/rulesets/index.ts';
import type { Obstacle } from './live/obstacles.ts';
import type { Merged } from './rebase/engine/three-way.ts';
import type { RebaseQuestion } from './rebase/question.ts';
import type { ComparedText, TextDifference } from './validation/compare.ts';
import type { CheckInput, TextCheck } from './validation/engine/check.ts';

export interface SimulationInput {
  /** JSON texts of a change, each with the document that it is of. */
  readonly texts: readonly { readonly name: DocumentName; readonly text: string }[];
  /** The documents in force. */
  readonly documents: readonly RuleDocument[];
}

export interface TryQuestion {
  readonly text: string;
  readonly facts: Readonly<Record<string, FactValue | null>>;
  /** The documents in force, for a text that cannot be tried without them. */
  readonly around: readonly RuleDocument[];
}

export interface AnalysisTasks {
  check(question: CheckInput): Promise<TextCheck[]>;
  /** Throws CONFLICT `not_usable` for a text that cannot be compared yet. */
  diff(question: { readonly texts: readonly ComparedText[] }): TextDifference[];
  /** Throws CONFLICT `not_usable` for a text that cannot be merged. */
  rebase(question: RebaseQuestion): Merged[];
  /** Throws as `tryText` does. */
  try(question: TryQuestion): Explanation | object;
  /** Throws CONFLICT `not_usable` for texts that the engine cannot work with. */
  simulate(question: SimulationInput): null;
  /** Returns why the runs in memory cannot tell what the texts would change; null where they can. */
  evaluable(question: SimulationInput): Obstacle;
}
type Question<Name extends keyof AnalysisTasks> = Parameters<AnalysisTasks[Name]>[0];
type Answered<Name extends keyof AnalysisTasks> = Awaited<ReturnType<AnalysisTasks[Name]>>;

/** What a worker sends: once that it has loaded, then a reply to each question. `json` is the text of an answer. */
export type AnalysisReply =
  | { readonly ready: true }
  | { readonly json: string }
  | { readonly refusal: ErrorExtras & { readonly code: ErrorCode; readonly message: string } }
  | { readonly failure: string; readonly isRange: boolean };

/** Milliseconds by task; `queue`: for how long a question waits for a worker. */
export type AnalysisTimeouts = Readonly<Record<keyof AnalysisTasks | 'queue', number>>;

/** A person waits for a check; a `try` is typed, and sent again after each change. */
export const defaultTimeouts: AnalysisTimeouts = {
  check: 60_000,
  diff: 20_000,
  rebase: 10_000,
  try: 10_000,
  simulate: 10_000,
  evaluable: 10_000,
  queue: 10_000,
};
/** Loading the code takes seconds on a busy machine, and is not part of a question's time. */
const startingMs = 60_000;

const heapMb = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

const busy = 'Other texts are being checked. Please try again in a moment.';
const queueWith = ({ queue: timeoutMs }: AnalysisTimeouts) =>
  boundedQueue({ concurrency: 2, maxQueued: 16, timeoutMs, busyMessage: busy });
let timeouts = defaultTimeouts;
let queue = queueWith(defaultTimeouts);
const idle: Worker[] = [];

const program = threadProgram('workers/analysis/worker.ts');

/** For tests, which have less time than a person. To be called while no question is open. */
export function setTimeouts(changed: AnalysisTimeouts): void {
  timeouts = changed;
  queue = queueWith(changed);
}

/**
 * Runs a task in a worker. Throws what the task throws, VALIDATION_ERROR `too_complex` for a text that takes too long or too much
 * memory, ENGINE_UNAVAILABLE while all workers are busy. The caller has no transaction open, since it may take seconds.
 */
export const runInWorker = <Name extends keyof AnalysisTasks>(
  name: Name,
  question: Question<Name>,
): Promise<Answered<Name>> => {
  requireNoTransaction(`asking a worker (${name})`);
  return queue(() => ask(name, question));
};

async function ask<Name extends keyof AnalysisTasks>(name: Name, question: Question<Name>): Promise<Answered<Name>> {
  const known = idle.pop();
  const worker = known ?? newWorker();
  worker.ref();
  const reply = await replyOf(worker, { name, question }, timeouts[name], known === undefined).catch(async (error) => {
    await worker.terminate();
    throw error;
  });
  worker.unref();
  idle.push(worker);
  return answerOf(reply) as Answered<Name>;
}

/** A worker that dies while it is idle is not used again, and ends nothing else. */
function newWorker(): Worker {
  const worker = new Worker(program, { eval: true, resourceLimits: heapMb });
  worker.on('error', () => {});
  worker.on('exit', () => {
    const at = idle.indexOf(worker);
    if (at >= 0) idle.splice(at, 1);
  });
  return worker;
}

/** Rejects when the worker dies or its time is over: then it is not used again. */
async function replyOf(worker: Worker, asked: object, forMs: number, isNew: boolean): Promise<AnalysisReply> {
  const ended = new AbortController();
  try {
    return await new Promise<AnalysisReply>((resolve, reject) => {
      const allow = (ms: number, refusal = tooComplex) => {
        const timer = setTimeout(() => reject(refusal()), ms);
        ended.signal.addEventListener('abort', () => clearTimeout(timer));
        return timer;
      };
      const first = isNew ? allow(startingMs, unavailable) : allow(forMs);
      const listen = <Event extends unknown[]>(
        name: 'message' | 'error' | 'exit',
        heard: (...event: Event) => void,
      ) => {
        worker.on(name, heard as never);
        ended.signal.addEventListener('abort', () => worker.off(name, heard as never));
      };
      listen('message', (reply: AnalysisReply) => {
        if (!('ready' in reply)) return resolve(reply);
        clearTimeout(first);
        allow(forMs);
      });
      listen('error', (error: Error) => reject(isOutOfMemory(error) ? tooComplex() : error));
      listen('exit', () => reject(new Error('a worker ended without an answer')));
      worker.postMessage(asked);
    });
  } finally {
    ended.abort();
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function answerOf(reply: AnalysisReply): unknown {
  if ('json' in reply) return JSON.parse(reply.json);
  if ('refusal' in reply) {
    const { code, message, ...extras } = reply.refusal;
    throw new AppError(code, message, extras);
  }
  if ('failure' in reply) throw reply.isRange ? tooComplex() : new Error(reply.failure);
  throw new Error('a worker replied without an answer');
}

const tooComplex = () =>
  invalid(
    'document',
    'too_complex',
    'The document is too large to be analysed exactly. Split it, or use fewer ranges.',
  );
