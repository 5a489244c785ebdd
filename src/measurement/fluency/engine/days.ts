// Calendar dates as text (`YYYY-MM-DD`), counted in days and weeks.

const dayMs = 86_400_000;

const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00.000Z`) / dayMs;

/** Negative when `to` is the earlier one. */
export const daysBetween = (from: string, to: string): number => dayNumber(to) - dayNumber(from);

export const weeksBetween = (from: string, to: string): number => daysBetween(from, to) / 7;

export const daysBefore = (date: string, days: number): string =>
  new Date((dayNumber(date) - days) * dayMs).toISOString().slice(0, 10);
