// What `npm start` and `npm run worker` have in common: settings read or refused in one line, an output of JSON lines, a
// line when it is ready, and an end within 15 s of the first signal.
import type { Logger } from 'pino';
import { type Config, readConfig } from '../config/config.ts';
import { pause } from '../postgres/processes.ts';
import { collectEarly } from './heap.ts';
import { createLogger } from './logger.ts';
import { takeOverOutput } from './output.ts';
import { type Stopping, stopping } from './stopping.ts';

/** Opens everything, adding to `stopping` what has to end; answers the line that says it is ready. */
export type Start = (config: Config, log: Logger, stopping: Stopping) => Promise<string>;

/** After this the process ends whatever is still open. */
const stopMs = 14_500;
/** A start that is under way when the signal comes gets this long to add what it is opening. */
const startPatienceMs = 2_000;

export async function runProcess(start: Start): Promise<void> {
  collectEarly();
  const config = configOrEnd();
  const log = createLogger(config.logLevel);
  const open = stopping(log);
  const started = start(config, log, open);
  const end = endOnce(async () => {
    await Promise.race([started.catch(() => {}), pause(startPatienceMs)]);
    return open.endAll();
  });
  takeOverOutput(log, () => end(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  await started.then(
    (line) => process.stdout.write(`${line}\n`),
    (error: unknown) => {
      printCause(error);
      end(1);
    },
  );
}

/** The first call ends everything and the process, with 1 where something did not end; later ones change nothing. */
function endOnce(endAll: () => Promise<boolean>): (code: number) => void {
  let ending = false;
  return (code) => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), stopMs);
    endAll().then(
      (well) => process.exit(well ? code : 1),
      () => process.exit(1),
    );
  };
}

function configOrEnd(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    printCause(error);
    process.exit(1);
  }
}

function printCause(error: unknown): void {
  process.stderr.write(`Cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
}
