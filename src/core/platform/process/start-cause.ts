// The one line that says why a process cannot start: what happened and what to do, never a statement or a stack.
import { nativeError, noRoomText } from '../database-errors.ts';

const noRoom =
  'There is no room left on the disk of DATA_DIR, or of the database at DATABASE_URL: make room there, and start again.';

/** The remedy by SQLSTATE; of all others, rights are the usual cause. */
const remedies: Readonly<Record<string, string>> = {
  '53100': noRoom,
  '53200': 'The database has no memory left (SQLSTATE 53200): give its server more, and start again.',
  '58030': 'The database cannot read or write its disk (SQLSTATE 58030): its log says which file.',
};

/** Returns one line; for a database error its code and the remedy, never the statement. */
export function causeOf(thrown: unknown): string {
  const error = nativeError(thrown);
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : undefined;
  if (code === 'ENOSPC' || error.message.includes(noRoomText)) return noRoom;
  if ('severity' in error && code !== undefined) {
    const remedy = 'compare its roles and rights with what "npm run migrate -- --print-roles" prints';
    return remedies[code] ?? `DATABASE_URL: the database refused a statement (SQLSTATE ${code}); ${remedy}.`;
  }
  return (error.message.split('\n', 1)[0] ?? '').trim();
}
