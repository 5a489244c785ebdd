// Calendar dates as people at a place see them. A date is text `YYYY-MM-DD`; an instant is a Date.

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The calendar date of an instant in an IANA time zone. */
export function localDate(instant: Date, timeZone: string): string {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formatters.set(timeZone, formatter);
  }
  return formatter.format(instant);
}

/** The school year starts on 1 August. */
const firstMonth = 8;

/** `2025-2026` for every date from 2025-08-01 to 2026-07-31. */
export function schoolYearOf(date: string): string {
  const year = Number(date.slice(0, 4));
  const first = Number(date.slice(5, 7)) >= firstMonth ? year : year - 1;
  return `${first}-${first + 1}`;
}

/** First day of a school year: `2025-2026` → `2025-08-01`. */
export const schoolYearStart = (schoolYear: string): string => `${schoolYear.slice(0, 4)}-08-01`;
