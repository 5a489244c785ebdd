// The validity of an offline pack, and the deadline for its answers.
import { dayMs, hourMs } from '#core/platform/pure/dates/durations.ts';
import type { LessonRow } from '../rows/store.ts';

const packMs = 24 * hourMs;
const answersMs = 7 * dayMs;

export const packExpiresAt = (givenAt: Date): Date => new Date(givenAt.getTime() + packMs);

/**
 * Returns the deadline for offline answers of a delivered lesson. Packs are issued until the delivery and are valid for a
 * day, so the last one expires a day after the delivery.
 */
export function acceptsUntil({ state, closedAt }: Pick<LessonRow, 'state' | 'closedAt'>): Date | undefined {
  if (state !== 'delivered' || closedAt === null) return undefined;
  return new Date(packExpiresAt(new Date(closedAt)).getTime() + answersMs);
}
