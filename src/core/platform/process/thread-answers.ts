// The other side of threads.ts: a thread answers questions, several at once where they wait for something.
import fs from 'node:fs';
import os from 'node:os';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { Order, Reply } from './threads.ts';

type Tasks = Readonly<Record<string, (question: never) => Promise<unknown>>>;
type Answered = Exclude<Reply, { readonly ready: true }>;

/** An answer some buffers of which are handed over instead of copied. */
export class Transferred {
  readonly answer: unknown;
  readonly buffers: readonly ArrayBuffer[];

  constructor(answer: unknown, buffers: readonly ArrayBuffer[]) {
    this.answer = answer;
    this.buffers = buffers;
  }
}

/** Called once, by the thread's program. `close` lets go of what the thread has open. */
export function answerOrders(tasks: Tasks, close: () => Promise<void>): void {
  const port = parentPort;
  if (!port) throw new Error('this program runs in a thread');
  port.on('message', async (order: Order) => {
    if (!('end' in order)) return send(port, await replyTo(tasks, order));
    await close();
    port.close();
  });
  port.postMessage({ ready: true } satisfies Reply);
}

function send(port: MessagePort, reply: Answered): void {
  if ('answer' in reply && reply.answer instanceof Transferred) {
    const { answer, buffers } = reply.answer;
    port.postMessage({ id: reply.id, answer } satisfies Reply, buffers);
  } else port.postMessage(reply);
}

async function replyTo(tasks: Tasks, { id, name, question }: Exclude<Order, { end: true }>): Promise<Answered> {
  try {
    const task = tasks[name];
    if (!task) throw new RangeError(`there is no task ${name}`);
    return { id, answer: await task(question as never) };
  } catch (error) {
    return { id, ...failureOf(error) };
  }
}

function failureOf(error: unknown) {
  if (error instanceof AppError) {
    const { code, message, details, retryAfter } = error;
    return { refusal: { code, message, ...(details && { details }), ...(retryAfter !== undefined && { retryAfter }) } };
  }
  if (!(error instanceof Error)) return { failure: { name: 'Error', message: String(error) } };
  const { name, message, stack } = error;
  return { failure: { name, message, ...(stack && { stack }), ...('code' in error && { code: String(error.code) }) } };
}

/**
 * Lets this thread alone run behind the others of its process where all cores are busy: a document may wait a moment, whoever
 * signs in may not. Linux numbers threads as it numbers processes; elsewhere nothing changes.
 */
export function runBehindRequests(): void {
  try {
    const thread = fs.readlinkSync('/proc/thread-self').split('/').at(-1);
    os.setPriority(Number(thread), os.constants.priority.PRIORITY_LOW);
  } catch {
    // Its priority stays that of the process.
  }
}
