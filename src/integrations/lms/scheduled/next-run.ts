// When a connection is synchronized by itself again: spread over four hours, so that not all begin at once, and at the same
// place of them each time.
import { createHash } from 'node:crypto';
import { hourMs } from '#core/platform/pure/dates/durations.ts';

const restMs = 20 * hourMs;
const spreadMs = 4 * hourMs;

/** `after`: the end of the last run, or when the connection was made. */
export function nextRunAt(connectionId: string, after: Date): Date {
  const place = createHash('sha256').update(connectionId).digest().readUInt32BE(0) % spreadMs;
  return new Date(after.getTime() + restMs + place);
}
