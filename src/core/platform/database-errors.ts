// Classification of database errors.

/** SQLSTATE too_many_connections: the database is writable, but has no free connection. */
export const tooManyConnections = '53300';

/** Returns the error of the driver, which Objection wraps. */
export const nativeError = (error: unknown): unknown =>
  error instanceof Error && 'nativeError' in error ? error.nativeError : error;

/** What PostgreSQL and its programs print when a disk is full. */
export const noRoomText = 'No space left on device';

export type Unwritable = 'full' | 'read_only';

/**
 * Returns why the database accepts no writes, if the error says so: no disk space or memory (`full`), or a server in recovery
 * (`read_only`).
 */
export function unwritable(thrown: unknown): Unwritable | undefined {
  const error = nativeError(thrown);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '25006') return 'read_only';
  return code.startsWith('53') && code !== tooManyConnections ? 'full' : undefined;
}

/** SQLSTATE classes of internal errors, and of unknown names and missing rights. */
const suspectClasses = /^(X{2}|42)/;

/**
 * Returns whether the session may be broken: PostgreSQL reports an internal error, or knows a name or a right of ours no
 * more, which no correct statement causes. Another session may succeed.
 */
export function isSessionSuspect(thrown: unknown): boolean {
  const error = nativeError(thrown);
  return error instanceof Error && 'severity' in error && 'code' in error && suspectClasses.test(String(error.code));
}
