// Analysis takes a processor for up to seconds: it has a thread of its own, and a time after which it is given up.
import { Worker } from 'node:worker_threads';
import { invalid, unavailable } from '../../platform/errors.ts';
import type { RuleDiff, RuleDocument } from '../../rulesets/index.ts';
import type { GateAnswer, GateQuestion } from './engine/examine.ts';

export interface ThreadTasks {
  examine(question: GateQuestion): Promise<GateAnswer>;
  diff(question: { readonly before: RuleDocument; readonly after: RuleDocument }): Promise<RuleDiff>;
}

export type Reply = { readonly value: unknown } | { readonly failure: string; readonly isRange: boolean };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  readonly timer: NodeJS.Timeout;
}

const patienceMs = 25_000;

/** A thread does not inherit the loader that lets Node read TypeScript. */
const start = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => {
  register();
  return import(${JSON.stringify(new URL('./worker.ts', import.meta.url).href)});
});`;

/** No question has this id: the thread itself has failed. */
const nobody = 0;

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/** Everything that is asked of a draft. Throws VALIDATION_ERROR `too_complex` for a text that cannot be analysed. */
export const examineInThread = (question: GateQuestion): Promise<GateAnswer> =>
  ask('examine', question) as Promise<GateAnswer>;

/** What changes from one document to the other. Throws as `examineInThread` does. */
export const diffInThread = (before: RuleDocument, after: RuleDocument): Promise<RuleDiff> =>
  ask('diff', { before, after }) as Promise<RuleDiff>;

function ask(name: keyof ThreadTasks, question: unknown): Promise<unknown> {
  const thread = running();
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => giveUp(id), patienceMs);
    waiting.set(id, { resolve, reject, timer });
    thread.ref();
    thread.postMessage({ id, name, question });
  });
}

function running(): Worker {
  if (worker) return worker;
  const thread = new Worker(start, { eval: true });
  thread.on('message', ({ id, ...reply }: Reply & { id: number }) => settle(id, reply));
  thread.on('error', () => giveUp(nobody));
  worker = thread;
  return thread;
}

function settle(id: number, reply: Reply): void {
  const one = waiting.get(id);
  waiting.delete(id);
  clearTimeout(one?.timer);
  if (waiting.size === 0) worker?.unref();
  if ('value' in reply) one?.resolve(reply.value);
  else one?.reject(reply.isRange ? tooComplex() : new Error(reply.failure));
}

/** A thread that is stuck cannot be asked to stop: it is ended. Whoever only waited behind the stuck one may try again. */
function giveUp(stuckId: number): void {
  const stuck = worker;
  worker = undefined;
  for (const [id, { reject, timer }] of waiting) {
    clearTimeout(timer);
    reject(id === stuckId ? tooComplex() : unavailable());
  }
  waiting.clear();
  void stuck?.terminate();
}

const tooComplex = () =>
  invalid(
    'document',
    'too_complex',
    'The document is too large to be analysed exactly. Split it, or use fewer ranges.',
  );
