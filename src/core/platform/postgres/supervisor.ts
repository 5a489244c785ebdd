// Looks whether the embedded server lives, and starts it again where it died: same folder, same port, so that every
// pool finds it by itself.
import { alive, pause, type Running } from './processes.ts';

const lookEveryMs = 200;
/** Children of a killed server go within moments; until then a new one does not start. */
const tryAgainMs = 300;

export interface Supervision {
  /** Looks no longer, waits for a start that is under way, and answers what runs. */
  end(): Promise<Running>;
}

export function superviseServer(
  first: Running,
  start: (port: number) => Promise<Running>,
  onDeath: (event: string, error?: unknown) => void,
): Supervision {
  let running = first;
  let ended = false;
  let wake = () => {};
  const look = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, lookEveryMs).unref();
    });
  const startAgain = async () => {
    for (let attempt = 1; !ended; attempt++) {
      try {
        running = await start(running.port);
        return onDeath('the embedded PostgreSQL runs again');
      } catch (error) {
        if (attempt === 1) onDeath('the embedded PostgreSQL does not start yet; it is tried again', error);
        await pause(tryAgainMs);
      }
    }
  };
  const watching = (async () => {
    while (!ended) {
      await look();
      if (ended || alive(running.pid)) continue;
      onDeath('the embedded PostgreSQL is gone; it is started again');
      await startAgain();
    }
  })();
  return {
    async end() {
      ended = true;
      wake();
      await watching;
      return running;
    },
  };
}
