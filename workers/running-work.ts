// Running work of this process by name: slow work does not delay other work, and none starts twice at a time.
import type { Logger } from 'pino';
import type { Services } from '#core/module/services.ts';

export interface RunningWork {
  has(name: string): boolean;
  /** Starts work without waiting for it. An error is logged under its name and counted. */
  start(name: string, work: () => Promise<void>): void;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

export function trackRunningWork({ metrics }: Pick<Services, 'metrics'>, log: Logger): RunningWork {
  const running = new Map<string, Promise<void>>();
  return {
    has: (name) => running.has(name),
    start(name, work) {
      const ended = Promise.resolve()
        .then(work)
        .catch((error: unknown) => {
          metrics.countFailure('schedule', name);
          log.error({ err: error, schedule: name }, 'schedule failed');
        })
        .finally(() => running.delete(name));
      running.set(name, ended);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
