// All background work of one process: relay, job handlers, schedules. Stopping drains it.
import type { Logger } from 'pino';
import { jobsOf } from '#core/module/capability.ts';
import type { JobHandler } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { createPriorityGate } from './priority-gate.ts';
import { startRelay, wakeableLoop } from './relay.ts';
import { retrySchedule } from './retries.ts';
import { scheduler } from './schedules.ts';

/** A schedule starts at most this long after it is due. */
const scheduleTickMs = 1_000;

export interface Workers {
  stop(): Promise<void>;
}

export interface WorkerParts {
  readonly services: Services;
  readonly queues: Queues;
  readonly postgres: { readonly connectionString: string; readonly options?: string };
  readonly log: Logger;
}

export function startWorkers({ services: parts, queues, postgres, log }: WorkerParts): Workers {
  const services = { ...parts, queues };
  const { reactions, handlers, schedules, daily } = jobsOf(services.capabilities);
  const relay = startRelay(services, queues, reactions, (wake) => services.relayWakeup.subscribe(wake, postgres), log);
  const stopping = new AbortController();
  const run = jobRunner(stopping.signal);
  const running = handlers.map((handler) =>
    queues.work(handler.queue, handler.concurrency, (data) =>
      run(handler, () => handler.handle(services, data, stopping.signal)),
    ),
  );
  const due = scheduler({ services, queues, log, schedules: [...schedules, retrySchedule(reactions, log)], daily });
  const ticker = wakeableLoop(scheduleTickMs, due.tick, log);
  return {
    async stop() {
      stopping.abort();
      await Promise.all([
        relay.stop(),
        ticker.stop().then(() => due.stop()),
        ...running.map((worker) => worker.close()),
      ]);
    },
  };
}

/** Returns the function that runs a job of a handler when the handler's `priority` allows it. */
function jobRunner(stop: AbortSignal) {
  const { runAwaited, runFollowing } = createPriorityGate();
  return ({ priority }: JobHandler, work: () => Promise<void>): Promise<void> => {
    if (priority === 'awaited') return runAwaited(work);
    return priority === 'following' ? runFollowing(work, stop) : work();
  };
}
