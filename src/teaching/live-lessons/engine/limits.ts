// The maximum duration of a live lesson and of a draft (LVS-05, LVS-06).
import { hourMs } from '#core/platform/pure/dates/durations.ts';

export const maxLessonMs = 4 * hourMs;
export const maxDraftMs = 12 * hourMs;

/** Returns the instant from which the lesson accepts nothing more. */
export const expiresAt = ({ startedAt, createdAt }: { startedAt: string | null; createdAt: string }): Date =>
  new Date(startedAt === null ? Date.parse(createdAt) + maxDraftMs : Date.parse(startedAt) + maxLessonMs);
