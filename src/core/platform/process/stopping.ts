// Ends a process in bounded time, whatever clients and stores do: resources are closed stage by stage, each with a timeout, and
// those that did not close are logged.
import type { Logger } from 'pino';
import { pause } from '../postgres/processes.ts';

/** The order of stages; the resources of one stage are closed at once. */
const stages = ['work', 'queue', 'connections', 'database'] as const;
type Stage = (typeof stages)[number];

/** The timeout of each stage. The last one, a database that flushes its writes, also gets the time that the others left. */
const timeoutsMs: Readonly<Record<Exclude<Stage, 'database'>, number>> = {
  work: 10_500,
  queue: 1_000,
  connections: 1_000,
};
/** A stop may take 15 s, the exit of the process included. */
const totalMs = 14_300;

export interface Stopping {
  /** Adds a resource. `end` is called at most once, possibly while the resource is in use. */
  add(stage: Stage, name: string, end: () => unknown): void;
  /** Closes everything. Returns whether all of it closed without an error and in time. */
  endAll(): Promise<boolean>;
}

interface Ending {
  readonly name: string;
  readonly stage: Stage;
  readonly end: () => unknown;
}

export function stopping(log: Logger): Stopping {
  const endings: Ending[] = [];
  return {
    add: (stage, name, end) => void endings.push({ stage, name, end }),
    async endAll() {
      const open = endings.splice(0);
      const beganMs = performance.now();
      let well = true;
      for (const stage of stages) {
        const own = open.filter((ending) => ending.stage === stage);
        const leftMs = totalMs - (performance.now() - beganMs);
        const ms = stage === 'database' ? leftMs : timeoutsMs[stage];
        const ended = await Promise.all(own.map((ending) => endInTime(ending, ms, log)));
        well &&= ended.every(Boolean);
      }
      return well;
    },
  };
}

async function endInTime({ name, end }: Ending, ms: number, log: Logger): Promise<boolean> {
  const ended = Promise.resolve()
    .then(end)
    .then(
      () => true,
      (error: unknown) => {
        log.error({ err: error, name }, 'could not be closed');
        return false;
      },
    );
  const late = Symbol('late');
  const outcome = await Promise.race([ended, pause(ms).then(() => late)]);
  if (outcome !== late) return outcome === true;
  log.error({ name, afterMs: Math.round(ms) }, 'did not close in time');
  return false;
}
