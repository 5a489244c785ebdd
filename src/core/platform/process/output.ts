// Keeps the output of a running service to JSON lines: what libraries print, Node's warnings and the error that ends a
// process all pass through the logger.
import { format } from 'node:util';
import type { Logger } from 'pino';

const maxPrintedLength = 300;

/** `onFatal` is called after an uncaught error has been logged. */
export function takeOverOutput(log: Logger, onFatal: () => void): void {
  const print = (...parts: unknown[]) => {
    const [error] = parts.filter((part) => part instanceof Error);
    const [line = ''] = format(...parts.filter((part) => part !== error)).split('\n');
    log.warn({ err: error, printed: line.slice(0, maxPrintedLength) }, 'a library printed');
  };
  Object.assign(globalThis.console, { log: print, info: print, warn: print, error: print, debug: print, trace: print });
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'warning'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an uncaught error ends this process');
    onFatal();
  });
}
