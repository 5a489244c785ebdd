// Structured logs. Nothing personal is ever passed in; what slips into an error's fields is removed here.
import { type LogFn, type Logger, pino } from 'pino';
import { nativeError } from '../database-errors.ts';
import { isStoreDown, outageLines } from './outages.ts';

const personal = [
  'password',
  'email',
  'fullNameAr',
  'full_name_ar',
  'refreshToken',
  'accessToken',
  'authorization',
  'quickCode',
];

export function createLogger(level: string): Logger {
  return pino({
    level,
    redact: { paths: personal.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), remove: true },
    serializers: { err: errorWithoutData },
    base: {},
    hooks: { logMethod: withoutFlood() },
  });
}

/** Lines about a store that is away, and what libraries print, come once in a few seconds for each message. */
function withoutFlood() {
  const suppressed = outageLines(() => performance.now());
  return function logMethod(this: Logger, args: Parameters<LogFn>, write: LogFn): void {
    const [fields, message] = args as [unknown, unknown];
    const floods = mayFlood(fields) && typeof message === 'string';
    const count = floods ? suppressed(message) : 0;
    if (!floods) write.apply(this, args);
    else if (count !== undefined) write.apply(this, [{ ...fields, ...(count > 0 && { suppressed: count }) }, message]);
  };
}

const mayFlood = (fields: unknown): fields is object =>
  typeof fields === 'object' &&
  fields !== null &&
  ('printed' in fields || ('err' in fields && isStoreDown(fields.err)));

/** Database drivers put statements, values and row contents into their errors; only what names the fault is kept. */
function errorWithoutData(thrown: unknown) {
  const error = nativeError(thrown);
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table } = error as Error & { code?: unknown; constraint?: unknown; table?: unknown };
  const fromDatabase = code !== undefined && 'severity' in error;
  const stack = error.stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .join('\n');
  return { type: error.name, code, constraint, table, stack, ...(!fromDatabase && { message: error.message }) };
}
