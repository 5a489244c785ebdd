// What `npm start` and `npm run worker` have in common: settings read or refused in one line, an output of JSON lines, a
// line when it is ready, and an end within 15 s of the first signal.
import type { Logger } from 'pino';
import { type Config, readConfig } from '../config/config.ts';
import { nativeError } from '../database-errors.ts';
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
  process.stderr.write(`Cannot start: ${causeOf(error)}\n`);
}

/** One line; of an error of the database its code and the way out, never the statement. */
function causeOf(thrown: unknown): string {
  const error = nativeError(thrown);
  if (!(error instanceof Error)) return String(error);
  if ('severity' in error && 'code' in error) {
    const wayOut = 'compare its roles and rights with what "npm run migrate -- --print-roles" prints';
    return `DATABASE_URL: the database refused a statement (SQLSTATE ${error.code}); ${wayOut}.`;
  }
  return (error.message.split('\n', 1)[0] ?? '').trim();
}
