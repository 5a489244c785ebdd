// Ends a process in bounded time, whatever clients and stores do: what is open is closed stage by stage, each thing
// with a deadline of its own, and the process says what did not end.
import type { Logger } from 'pino';
import { pause } from '../postgres/processes.ts';

/** In this order; the things of one stage end at once. */
const stages = ['work', 'queue', 'connections', 'database'] as const;
type Stage = (typeof stages)[number];

/** How long each stage may take. The last one, a database that writes what it holds, also gets what the others left. */
const patienceMs: Readonly<Record<Exclude<Stage, 'database'>, number>> = {
  work: 10_500,
  queue: 1_000,
  connections: 1_000,
};
/** A stop may last 15 s, the end of the process itself included. */
const totalMs = 14_300;

export interface Stopping {
  /** `end` may be called while what it ends is still at work, and once at most. */
  add(stage: Stage, name: string, end: () => unknown): void;
  /** Ends everything; true when all of it ended well and in time. */
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
        const ms = stage === 'database' ? leftMs : patienceMs[stage];
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
        log.error({ err: error, name }, 'did not end well');
        return false;
      },
    );
  const late = Symbol('late');
  const outcome = await Promise.race([ended, pause(ms).then(() => late)]);
  if (outcome !== late) return outcome === true;
  log.error({ name, afterMs: Math.round(ms) }, 'did not end in time; it is left');
  return false;
}
