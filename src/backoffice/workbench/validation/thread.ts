// Whatever looks into a draft happens in a thread: anybody may write a text that takes hours or all memory to analyse.
// Two threads at most, each with a time and a memory that it may take; a thread that exceeds one is ended.
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode, type ErrorExtras, invalid, unavailable } from '#core/platform/errors.ts';
import { boundedQueue } from '#core/platform/process/bounded-queue.ts';
import { threadProgram } from '#core/platform/process/thread-program.ts';
import { requireNoTransaction } from '#core/platform/transactions/outside.ts';
import type { Explanation, FactValue, RuleDiff, RuleDocument } from '#rules/rulesets/index.ts';
import type { CandidateText, CompanionName } from '../companions.ts';
import type { DocumentValidation, ValidationInput } from './engine/validate.ts';

interface SimulatedDraft {
  readonly family: string;
  readonly key: string;
  /** JSON text of the draft. */
  readonly document: string;
}

export interface SimulationInput {
  readonly draft: SimulatedDraft;
  /** Those in force. */
  readonly documents: readonly RuleDocument[];
  readonly candidates: readonly CandidateText[];
}

export interface SimulatedTexts {
  /** The draft's and its companions'. */
  readonly texts: readonly string[];
  readonly companions: readonly CompanionName[];
}

export interface TryQuestion {
  readonly text: string;
  readonly facts: Readonly<Record<string, FactValue | null>>;
  /** The documents in force, where the text alone does not answer. */
  readonly around: readonly RuleDocument[];
}

export interface ThreadTasks {
  validate(question: ValidationInput): Promise<DocumentValidation>;
  /** Throws CONFLICT `not_usable` for a draft that cannot be compared yet. */
  diff(question: { readonly before: RuleDocument; readonly text: string }): RuleDiff;
  /** Throws as `tryText` does. */
  try(question: TryQuestion): Explanation | object;
  /** Throws as `simulatedTexts` does. */
  simulate(question: SimulationInput): SimulatedTexts;
}
type Question<Name extends keyof ThreadTasks> = Parameters<ThreadTasks[Name]>[0];
type Answered<Name extends keyof ThreadTasks> = Awaited<ReturnType<ThreadTasks[Name]>>;

/** What a thread says: once that it has loaded, then an answer to each question. `json` is the answer's text. */
export type Reply =
  | { readonly ready: true }
  | { readonly json: string }
  | { readonly refusal: ErrorExtras & { readonly code: ErrorCode; readonly message: string } }
  | { readonly failure: string; readonly isRange: boolean };

/** Milliseconds, by what is asked; `line`: how long somebody waits for a thread. */
export type Patience = Readonly<Record<keyof ThreadTasks | 'line', number>>;

/** How long a person waits: a validation is waited for, a `try` is typed and asked again. */
export const usualPatience: Patience = {
  validate: 25_000,
  diff: 10_000,
  try: 10_000,
  simulate: 10_000,
  line: 10_000,
};
/** Loading the code counts for nobody's question; on a busy machine it takes seconds. */
const startingMs = 60_000;

const heapMb = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

const busy = 'Other drafts are being validated. Please try again in a moment.';
const lineWith = ({ line }: Patience) =>
  boundedQueue({ concurrency: 2, maxQueued: 16, timeoutMs: line, busyMessage: busy });
let patienceMs = usualPatience;
let inLine = lineWith(usualPatience);
const idle: Worker[] = [];

const start = threadProgram('workers/validation/worker.ts');

/** How long is waited from now on; to be called while nothing is asked. Tests have less time than a person. */
export function setPatience(patience: Patience): void {
  patienceMs = patience;
  inLine = lineWith(patience);
}

/**
 * Asks a thread. Throws what the task throws, VALIDATION_ERROR `too_complex` for a text that takes too long or too much
 * memory, ENGINE_UNAVAILABLE where others are being validated. Not to be called with a transaction open: it may take
 * seconds.
 */
export const inThread = <Name extends keyof ThreadTasks>(
  name: Name,
  question: Question<Name>,
): Promise<Answered<Name>> => {
  requireNoTransaction(`asking a thread (${name})`);
  return inLine(() => asked(name, question));
};

async function asked<Name extends keyof ThreadTasks>(name: Name, question: Question<Name>): Promise<Answered<Name>> {
  const known = idle.pop();
  const thread = known ?? newThread();
  thread.ref();
  const reply = await replyOf(thread, { name, question }, patienceMs[name], known === undefined).catch(
    async (error) => {
      await thread.terminate();
      throw error;
    },
  );
  thread.unref();
  idle.push(thread);
  return answerOf(reply) as Answered<Name>;
}

/** A thread that dies while nobody asks it is not used again, and takes nothing along. */
function newThread(): Worker {
  const thread = new Worker(start, { eval: true, resourceLimits: heapMb });
  thread.on('error', () => {});
  thread.on('exit', () => {
    const at = idle.indexOf(thread);
    if (at >= 0) idle.splice(at, 1);
  });
  return thread;
}

/** Rejects when the thread dies or its time is over: then it is of no use any more. */
async function replyOf(thread: Worker, asked: object, forMs: number, isNew: boolean): Promise<Reply> {
  const ended = new AbortController();
  try {
    return await new Promise<Reply>((resolve, reject) => {
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
        thread.on(name, heard as never);
        ended.signal.addEventListener('abort', () => thread.off(name, heard as never));
      };
      listen('message', (reply: Reply) => {
        if (!('ready' in reply)) return resolve(reply);
        clearTimeout(first);
        allow(forMs);
      });
      listen('error', (error: Error) => reject(isOutOfMemory(error) ? tooComplex() : error));
      listen('exit', () => reject(new Error('a thread ended without an answer')));
      thread.postMessage(asked);
    });
  } finally {
    ended.abort();
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function answerOf(reply: Reply): unknown {
  if ('json' in reply) return JSON.parse(reply.json);
  if ('refusal' in reply) {
    const { code, message, ...extras } = reply.refusal;
    throw new AppError(code, message, extras);
  }
  if ('failure' in reply) throw reply.isRange ? tooComplex() : new Error(reply.failure);
  throw new Error('a thread answered nothing');
}

const tooComplex = () =>
  invalid(
    'document',
    'too_complex',
    'The document is too large to be analysed exactly. Split it, or use fewer ranges.',
  );
