// A thread with tasks for tests: some succeed, some fail in each way.
import { threadId, workerData } from 'node:worker_threads';
import { conflict } from '#core/platform/errors.ts';
import { serveTasks } from '#core/platform/process/worker-tasks.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

serveTasks(
  {
    echo: async (question: unknown) => ({ question, given: workerData }),
    which: async (ms: number) => {
      await pause(ms);
      return threadId;
    },
    refuse: async () => {
      throw conflict('taken', 'It is taken.', 'place');
    },
    fail: async () => {
      throw Object.assign(new RangeError('too far'), { code: '57P01' });
    },
    die: async () => process.exit(3),
    swell: async () => {
      const held: unknown[] = [];
      for (;;) held.push(Array.from({ length: 100_000 }, (_, at) => ({ at })));
    },
    spin: async () => {
      for (;;);
    },
  },
  async () => {},
);
