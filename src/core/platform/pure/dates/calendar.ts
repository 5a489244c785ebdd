// Local calendar dates. A date is text `YYYY-MM-DD`; an instant is a Date.

/** A formatter with its last result: rows of one run share their instant. */
interface ZoneDates {
  readonly formatter: Intl.DateTimeFormat;
  ms: number;
  date: string;
}

const zones = new Map<string, ZoneDates>();

/** Returns the calendar date of an instant in an IANA time zone. */
export function localDate(instant: Date, timeZone: string): string {
  let zone = zones.get(timeZone);
  if (!zone) {
    const formatter = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    zone = { formatter, ms: Number.NaN, date: '' };
    zones.set(timeZone, zone);
  }
  const ms = instant.getTime();
  if (ms !== zone.ms) {
    zone.date = zone.formatter.format(instant);
    zone.ms = ms;
  }
  return zone.date;
}
