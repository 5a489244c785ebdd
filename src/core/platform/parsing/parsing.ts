// Bytes of others are made into values in threads with a bounded heap and a bounded time: whatever they hold, the process
// answers everybody else meanwhile, and lives on.
import { lineOf } from '../process/line.ts';
import { startThreads, ThreadLost } from '../process/threads.ts';
import type { JsonBounds } from './json-size.ts';
import type { JsonQuestion, ParsedJson } from './parse-json.ts';

export interface ParsingOptions {
  /** How long one text may take. */
  readonly patienceMs?: number;
  /** How long somebody waits for a thread. */
  readonly waitMs?: number;
}

export interface Parsing {
  /**
   * The value of a JSON text, which may be bounded more tightly than a thread needs. Takes the bytes: they are empty afterwards where they have a buffer of their own. ENGINE_UNAVAILABLE, with retryAfter,
   * where no thread was free for a while. Not to be called in a transaction.
   */
  json(bytes: Uint8Array, bounds?: Partial<JsonBounds>): Promise<ParsedJson>;
  /**
   * A task of `workers/parsing/worker.ts` by its name. Throws what the task throws; `tooComplex` says what to throw where
   * the thread has died or was late.
   */
  ask(name: string, question: { readonly bytes: Uint8Array }, tooComplex: () => Error): Promise<unknown>;
  stop(): Promise<void>;
}

/** Two at once in a process: more would have all of its memory. */
const atOnce = 2;
/** Each of those who wait holds its bytes, which are bounded by themselves. */
const mostWaiting = 64;
const heapMb = 256;
const usual = { patienceMs: 10_000, waitMs: 10_000 };
/**
 * A thread's heap limit alone does not save the process: JSON.parse allocates without looking whether its thread has been
 * ended, and V8 then aborts. So what a text may become is bounded before: a value takes up to 300 bytes (a map with a name
 * that no other has), all of them half of the heap.
 */
const usualBounds: JsonBounds = { values: 500_000, members: 500_000, depth: 64 };
const busy = 'Other large texts are being read. Please try again in a moment.';

/** Threads that start when something is asked and end when nothing has been for a while. */
export function startParsing(options: ParsingOptions = {}): Parsing {
  const { patienceMs, waitMs } = { ...usual, ...options };
  const program = 'workers/parsing/worker.ts';
  const threads = startThreads({ program, data: null, count: atOnce, perThread: 1, heapMb, patienceMs });
  const inLine = lineOf({ seats: atOnce, places: mostWaiting, patienceMs: waitMs, busy });
  const ask = (name: string, question: { readonly bytes: Uint8Array }) =>
    inLine(() => threads.ask(name, question, { transfer: ownBuffer(question.bytes) }));
  return {
    json: async (bytes, bounds) => {
      const question: JsonQuestion = { bytes, bounds: within(bounds) };
      try {
        return (await ask('json', question)) as ParsedJson;
      } catch (error) {
        if (error instanceof ThreadLost) return { fault: 'too_complex' };
        throw error;
      }
    },
    ask: async (name, question, tooComplex) => {
      try {
        return await ask(name, question);
      } catch (error) {
        throw error instanceof ThreadLost ? tooComplex() : error;
      }
    },
    stop: () => threads.stop(),
  };
}

/** What is asked for, and never more than a thread can bear. */
function within(asked: Partial<JsonBounds> = {}): JsonBounds {
  const { values, members, depth } = { ...usualBounds, ...asked };
  return {
    values: Math.min(values, usualBounds.values),
    members: Math.min(members, usualBounds.members),
    depth: Math.min(depth, usualBounds.depth),
  };
}

/** Small buffers are parts of one that Node shares out, and are copied. */
function ownBuffer({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer[] {
  const isWhole = byteOffset === 0 && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? [buffer] : [];
}
