// How long a live session may last, and how long it may wait to begin (LVS-05, LVS-06).
import { hourMs } from '#core/platform/pure/dates/durations.ts';

export const longestLessonMs = 4 * hourMs;
export const longestDraftMs = 12 * hourMs;

/** The moment from which on nothing more is taken. */
export const lastMoment = ({ startedAt, createdAt }: { startedAt: string | null; createdAt: string }): Date =>
  new Date(startedAt === null ? Date.parse(createdAt) + longestDraftMs : Date.parse(startedAt) + longestLessonMs);
