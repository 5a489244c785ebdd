// The code of a worker thread that runs the tasks of worker-pool.ts, several at once if they wait for something.
import fs from 'node:fs';
import os from 'node:os';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { Order, WorkerReply } from './worker-pool.ts';

type Tasks = Readonly<Record<string, (question: never) => Promise<unknown>>>;
type Answered = Exclude<WorkerReply, { readonly ready: true }>;

/** An answer of which some buffers are transferred instead of copied. */
export class Transferred {
  readonly answer: unknown;
  readonly buffers: readonly ArrayBuffer[];

  constructor(answer: unknown, buffers: readonly ArrayBuffer[]) {
    this.answer = answer;
    this.buffers = buffers;
  }
}

/** Called once by the program of the thread. `close` closes the resources of the thread. */
export function serveTasks(tasks: Tasks, close: () => Promise<void>): void {
  const port = parentPort;
  if (!port) throw new Error('this program runs in a thread');
  port.on('message', async (order: Order) => {
    if (!('end' in order)) return send(port, await replyTo(tasks, order));
    await close();
    port.close();
  });
  port.postMessage({ ready: true } satisfies WorkerReply);
}

function send(port: MessagePort, reply: Answered): void {
  if ('answer' in reply && reply.answer instanceof Transferred) {
    const { answer, buffers } = reply.answer;
    port.postMessage({ id: reply.id, answer } satisfies WorkerReply, buffers);
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
 * Lowers the priority of this thread alone, so that requests come first if all cores are busy. Linux numbers threads like
 * processes; on other systems nothing changes.
 */
export function lowerPriority(): void {
  try {
    const thread = fs.readlinkSync('/proc/thread-self').split('/').at(-1);
    os.setPriority(Number(thread), os.constants.priority.PRIORITY_LOW);
  } catch {
    // The priority stays that of the process.
  }
}
