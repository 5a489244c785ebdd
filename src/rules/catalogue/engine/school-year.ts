// The school year that a moment belongs to, in the organization's own time zone.
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { schoolYearDates, type YearStart } from './year-dates.ts';

export interface SchoolYear {
  /** `2025-2026`. */
  readonly name: string;
  /** ISO 8601 instant of the first local midnight. */
  readonly from: string;
}

/** `start` is its first day. Throws RangeError on an unknown IANA time zone or a bad instant. */
export function schoolYearOf(asOf: string, timeZone: string, start: YearStart): SchoolYear {
  const { name, from } = schoolYearDates(localDate(new Date(asOf), timeZone), start);
  return { name, from: localMidnight(from, timeZone).toISOString() };
}

/** Returns the instant at which a date (`YYYY-MM-DD`) begins. */
export function localMidnight(date: string, timeZone: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(localMidnightMs(year, month, day, timeZone));
}

/** The second pass corrects a first estimate that lies on the other side of an offset change. */
function localMidnightMs(year: number, month: number, day: number, timeZone: string): number {
  const wallMs = Date.UTC(year, month - 1, day);
  const guessMs = wallMs - offsetMs(wallMs, timeZone);
  return wallMs - offsetMs(guessMs, timeZone);
}

function offsetMs(instantMs: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localTime(instantMs, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - instantMs;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are cached: creating one costs as much as a dozen uses, and a class needs one use per student. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}

function localTime(instantMs: number, timeZone: string) {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? Number.NaN;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}
