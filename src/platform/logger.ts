// Structured logs. Nothing personal is ever passed in; what slips into an error's fields is removed here.
import { type Logger, pino } from 'pino';
import { nativeError } from './db.ts';

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
  });
}

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
