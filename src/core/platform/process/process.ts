// What `npm start` and `npm run worker` have in common: configuration that is read or refused with one line, output as JSON
// lines, a line when the process is ready, and an end within 15 s of the first signal.
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/read-config.ts';
import { pause } from '../postgres/processes.ts';
import { collectEarly } from './heap.ts';
import { createLogger } from './logger.ts';
import { takeOverOutput } from './output.ts';
import { causeOf } from './start-cause.ts';
import { type Stopping, stopping } from './stopping.ts';

/** Opens everything and adds to `stopping` what must be closed. Returns the line that reports readiness. */
export type Start = (config: Config, log: Logger, stopping: Stopping) => Promise<string>;

/** After this time the process exits, whatever is still open. */
const stopMs = 14_500;
/** A start that is under way at the signal has this long to add what it opens. */
const startTimeoutMs = 2_000;

export async function runProcess(start: Start): Promise<void> {
  collectEarly();
  const config = configOrEnd();
  const log = createLogger(config.logLevel);
  const open = stopping(log);
  const started = start(config, log, open);
  const end = endOnce(async () => {
    await Promise.race([started.catch(() => {}), pause(startTimeoutMs)]);
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

/**
 * Returns a function whose first call closes everything and exits, with 1 if something did not close; later calls have no
 * effect.
 */
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
  process.stderr.write(`Cannot start: ${causeOf(error)}\n`);
}
