// The other side of thread.ts: answers one question after the other, so that the process that serves requests stays free.
import { parentPort } from 'node:worker_threads';
import { diffDocuments } from '../../rulesets/index.ts';
import { examine } from './engine/examine.ts';
import type { Reply, ThreadTasks } from './thread.ts';

const tasks: { [Name in keyof ThreadTasks]: ThreadTasks[Name] } = {
  examine,
  diff: async ({ before, after }) => diffDocuments(before, after),
};

async function answer({ name, question }: Asked): Promise<Reply> {
  try {
    return { value: await tasks[name](question as never) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error), isRange: error instanceof RangeError };
  }
}

interface Asked {
  readonly id: number;
  readonly name: keyof ThreadTasks;
  readonly question: unknown;
}

parentPort?.on('message', async (asked: Asked) => {
  parentPort?.postMessage({ id: asked.id, ...(await answer(asked)) });
});
