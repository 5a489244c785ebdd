// How long a pack for a device without network may be taught from, and how long after that its answers are still taken.
import { dayMs, hourMs } from '#core/platform/pure/dates/durations.ts';
import type { SessionRow } from '../rows/store.ts';

const packMs = 24 * hourMs;
const answersMs = 7 * dayMs;

export const packExpiresAt = (givenAt: Date): Date => new Date(givenAt.getTime() + packMs);

/** A pack is given as long as the session is open; the last one that can be out there is over a day after its delivery. */
export function acceptsUntil({ state, closedAt }: Pick<SessionRow, 'state' | 'closedAt'>): Date | undefined {
  if (state !== 'delivered' || closedAt === null) return undefined;
  return new Date(packExpiresAt(new Date(closedAt)).getTime() + answersMs);
}
