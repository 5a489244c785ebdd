// Restarts the embedded server if it dies, in the same folder and on the same port, so that every pool reconnects.
import { alive, pause, type Running } from './processes.ts';

const pollMs = 200;
/** Children of a killed server end within moments; until then a new one does not start. */
const retryMs = 300;

export interface Supervision {
  /** Ends the supervision, waits for a start that is under way, and returns the running server. */
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
  const sleep = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, pollMs).unref();
    });
  const restart = async () => {
    for (let attempt = 1; !ended; attempt++) {
      try {
        running = await start(running.port);
        return onDeath('the embedded PostgreSQL runs again');
      } catch (error) {
        if (attempt === 1) onDeath('the embedded PostgreSQL does not start yet; it is tried again', error);
        await pause(retryMs);
      }
    }
  };
  const watching = (async () => {
    while (!ended) {
      await sleep();
      if (ended || alive(running.pid)) continue;
      onDeath('the embedded PostgreSQL is gone; it is started again');
      await restart();
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
