// Calendar dates as text (`YYYY-MM-DD`), counted in days.
import { dayMs } from './durations.ts';

/** Returns the days since 1970-01-01. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00.000Z`) / dayMs;

export const dateOfDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** Returns the days between two dates; negative if `to` is the earlier one. */
export const daysBetween = (from: string, to: string): number => dayNumber(to) - dayNumber(from);

export const daysAfter = (date: string, days: number): string => dateOfDay(dayNumber(date) + days);
export const daysBefore = (date: string, days: number): string => daysAfter(date, -days);

/** Returns the day of the week: Monday 1 to Sunday 7. 1970-01-01 was a Thursday. */
export const isoWeekdayOfDay = (day: number): number => ((day + 3) % 7) + 1;
export const isoWeekday = (date: string): number => isoWeekdayOfDay(dayNumber(date));
