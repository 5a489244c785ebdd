// Structured logs. Personal data is never logged on purpose; what gets into the fields of an error is removed here.
import { type LogFn, type Logger, pino } from 'pino';
import { nativeError } from '../database-errors.ts';
import { isDatabaseDown } from '../db.ts';
import { failedStatementOf } from '../statements/failed-statements.ts';

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

/** An interval of lines with one message: a store that is down fails every request, many times a second. */
const suppressMs = 5_000;
const redisErrors = /Connection is closed|Stream isn't writeable|no answer in time|MaxRetriesPerRequest/;

/** Writes lines about an unreachable store, and output of libraries, once in a few seconds per message, and counts the others. */
function withoutFlood() {
  const suppressed = suppressedLines(() => performance.now());
  return function logMethod(this: Logger, args: Parameters<LogFn>, write: LogFn): void {
    const [fields, message] = args as [unknown, unknown];
    const floods = mayFlood(fields) && typeof message === 'string';
    const count = floods ? suppressed(message) : 0;
    if (!floods) write.apply(this, args);
    else if (count !== undefined) write.apply(this, [{ ...fields, ...(count > 0 && { suppressed: count }) }, message]);
  };
}

/** Returns how many lines of this name were suppressed since the last one, or undefined to suppress this one too. */
function suppressedLines(nowMs: () => number): (name: string) => number | undefined {
  const lines = new Map<string, { writtenAtMs: number; suppressed: number }>();
  return (name) => {
    const line = lines.get(name);
    if (line && nowMs() - line.writtenAtMs < suppressMs) {
      line.suppressed += 1;
      return undefined;
    }
    lines.set(name, { writtenAtMs: nowMs(), suppressed: 0 });
    return line?.suppressed ?? 0;
  };
}

const isStoreDown = (error: unknown): boolean =>
  isDatabaseDown(error) || (error instanceof Error && redisErrors.test(`${error.name} ${error.message}`));

const mayFlood = (fields: unknown): fields is object =>
  typeof fields === 'object' &&
  fields !== null &&
  ('printed' in fields || ('err' in fields && isStoreDown(fields.err)));

/** What PostgreSQL says of a failure beside its message, which may contain values. */
interface Fault {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly table?: unknown;
  /** The routine of the server that has raised the error. */
  readonly routine?: unknown;
  /** The calls under way, innermost first. */
  readonly where?: unknown;
}

/** The fault, and the one before it that it hides. */
function errorWithoutData(thrown: unknown): object {
  const { cause } = thrown instanceof Error ? thrown : {};
  return { ...faultOf(thrown), ...(cause !== undefined && { cause: faultOf(cause) }) };
}

/** Removes statements, values and row contents, which database drivers put into their errors; keeps what identifies the fault. */
function faultOf(thrown: unknown): object {
  const error = nativeError(thrown);
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table, routine, where } = error as Error & Fault;
  const fromDatabase = code !== undefined && 'severity' in error;
  const stack = error.stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .join('\n');
  return {
    ...{ type: error.name, code, constraint, table, routine, functions: functionsIn(where) },
    ...failedStatementOf(error),
    ...(!fromDatabase && { message: error.message }),
    stack,
  };
}

/** The functions of the schema in which it happened, with their lines. What PostgreSQL says of parameters is left out. */
function functionsIn(where: unknown): string | undefined {
  if (typeof where !== 'string') return undefined;
  return where.match(/(?<=\bfunction )[\w.]+\([^()]*\) line \d+/g)?.join(', ');
}
