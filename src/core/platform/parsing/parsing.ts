// Parses untrusted bytes in threads with a bounded heap and a bounded time: whatever they contain, the process keeps serving other
// requests and survives.
import { boundedQueue } from '../process/bounded-queue.ts';
import { startWorkerPool, ThreadLost } from '../process/worker-pool.ts';
import type { JsonBounds } from './json-size.ts';
import type { JsonQuestion, ParsedJson } from './parse-json.ts';

export interface ParsingOptions {
  /** How long parsing one text may take. */
  readonly timeoutMs?: number;
  /** How long a caller waits for a thread. */
  readonly waitMs?: number;
}

export interface Parsing {
  /**
   * Returns the value of a JSON text; `bounds` may be tighter than those that protect the thread. The bytes are transferred: they
   * are empty afterwards if they have a buffer of their own. Throws ENGINE_UNAVAILABLE, with retryAfter, if no thread becomes
   * free in time. Must not be called in a transaction.
   */
  json(bytes: Uint8Array, bounds?: Partial<JsonBounds>): Promise<ParsedJson>;
  /**
   * Runs a task of `workers/parsing/worker.ts` by name. Throws the error of the task, or the result of `tooComplex` if the thread
   * died or exceeded its time.
   */
  run(name: string, question: { readonly bytes: Uint8Array }, tooComplex: () => Error): Promise<unknown>;
  stop(): Promise<void>;
}

/** Texts that are parsed at once in a process: more could exhaust its memory. */
const concurrency = 2;
/** Each waiting text holds its bytes, which are bounded separately. */
const maxQueued = 64;
const heap = { heapMb: 256, youngMb: 8 };
const usual = { timeoutMs: 10_000, waitMs: 10_000 };
/**
 * The heap limit of a thread alone does not protect the process: JSON.parse allocates without checking whether its thread has
 * been terminated, and V8 then aborts. So the size of the value is bounded before: a value takes up to 300 bytes (a map with a
 * unique name), and all of them half of the heap.
 */
const usualBounds: JsonBounds = { values: 500_000, members: 500_000, depth: 64 };
const busyMessage = 'Other large texts are being read. Please try again in a moment.';

/** Starts a pool whose threads start on demand and end after an idle time. */
export function startParsing(options: ParsingOptions = {}): Parsing {
  const { timeoutMs, waitMs } = { ...usual, ...options };
  const program = 'workers/parsing/worker.ts';
  const threads = startWorkerPool({ program, data: null, count: concurrency, perThread: 1, ...heap, timeoutMs });
  const enqueue = boundedQueue({ concurrency, maxQueued, timeoutMs: waitMs, busyMessage });
  const enqueued = (name: string, question: { readonly bytes: Uint8Array }) =>
    enqueue(() => threads.run(name, question, { transfer: ownBuffer(question.bytes) }));
  return {
    json: async (bytes, bounds) => {
      const question: JsonQuestion = { bytes, bounds: clamped(bounds) };
      try {
        return (await enqueued('json', question)) as ParsedJson;
      } catch (error) {
        if (error instanceof ThreadLost) return { fault: 'too_complex' };
        throw error;
      }
    },
    run: async (name, question, tooComplex) => {
      try {
        return await enqueued(name, question);
      } catch (error) {
        throw error instanceof ThreadLost ? tooComplex() : error;
      }
    },
    stop: () => threads.stop(),
  };
}

/** Returns the requested bounds, limited to those that protect a thread. */
function clamped(asked: Partial<JsonBounds> = {}): JsonBounds {
  const { values, members, depth } = { ...usualBounds, ...asked };
  return {
    values: Math.min(values, usualBounds.values),
    members: Math.min(members, usualBounds.members),
    depth: Math.min(depth, usualBounds.depth),
  };
}

/** Returns the buffer to transfer. Small buffers are parts of a shared one of Node, and are copied. */
function ownBuffer({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer[] {
  const isWhole = byteOffset === 0 && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? [buffer] : [];
}
