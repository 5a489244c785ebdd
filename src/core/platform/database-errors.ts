// What errors of the database say beside their text.

/** Too many connections: the database has room, and no connection to spare. */
export const tooManyConnections = '53300';

/** Objection wraps what the driver threw. */
export const nativeError = (error: unknown): unknown =>
  error instanceof Error && 'nativeError' in error ? error.nativeError : error;

export type Unwritable = 'full' | 'read_only';

/** Why the database takes no writes, where that is what the error says: no room or no memory, or a server in recovery. */
export function unwritable(thrown: unknown): Unwritable | undefined {
  const error = nativeError(thrown);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '25006') return 'read_only';
  return code.startsWith('53') && code !== tooManyConnections ? 'full' : undefined;
}
