// Values of a provider's rows that can be wrong by themselves.

/** Characters of a full name. */
export const mostNameLength = 200;
const mostEmailLength = 254;

export const isEmail = (text: string): boolean =>
  text.length <= mostEmailLength && /^[^\s@<>(),;:"[\]\\]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim());

/** null where nothing stands. */
export const cleanDate = (text: string | undefined): string | null => text?.trim() ?? null;

/** A day of the calendar, YYYY-MM-DD, or none. */
export function isDate(text: string | null): boolean {
  if (text === null) return true;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isFinite(day.getTime()) && day.toISOString().startsWith(text);
}
