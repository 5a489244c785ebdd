// What tests of background work share: a queue that drops its jobs, and a log that can be read.
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import type { Queues } from '#core/platform/queue/queue.ts';

export const noQueues: Queues = {
  add: async () => {},
  work: () => ({ close: async () => {} }),
  ping: async () => {},
  state: async () => ({ waiting: 0, active: 0, delayed: 0, oldestSeconds: 0 }),
  close: async () => {},
};

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string };

export function capturedLog(): { log: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as LogLine);
      done();
    },
  });
  return { log: pino({ base: {} }, stream), lines };
}
