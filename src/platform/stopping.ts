// Ends a process in bounded time, whatever clients and stores do: what is open is closed stage by stage, each thing
// with a deadline of its own, and the process says what did not end.
import type { Logger } from 'pino';
import { pause } from './postgres/processes.ts';

/** In this order; the things of one stage end at once. */
const stages = ['work', 'queue', 'connections', 'database'] as const;
type Stage = (typeof stages)[number];

/** How long each stage may take. Together they leave half a second of the 15 that a stop may last. */
const patienceMs: Readonly<Record<Stage, number>> = { work: 10_500, queue: 1_000, connections: 1_000, database: 2_000 };

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
      let well = true;
      for (const stage of stages) {
        const own = open.filter((ending) => ending.stage === stage);
        const ended = await Promise.all(own.map((ending) => endInTime(ending, log)));
        well &&= ended.every(Boolean);
      }
      return well;
    },
  };
}

async function endInTime({ stage, name, end }: Ending, log: Logger): Promise<boolean> {
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
  const outcome = await Promise.race([ended, pause(patienceMs[stage]).then(() => late)]);
  if (outcome !== late) return outcome === true;
  log.error({ name, afterMs: patienceMs[stage] }, 'did not end in time; it is left');
  return false;
}
