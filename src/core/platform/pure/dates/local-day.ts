// The local day whose work is due: a day begins at an hour of local time, also if summer time skips or repeats that hour.
import { dayMs } from './durations.ts';

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** Returns the last date (YYYY-MM-DD) whose `hour` has passed in an IANA time zone. Throws RangeError for an unknown zone. */
export function dayBegunAt(hour: number, now: Date, timeZone: string): string {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? Number.NaN;
  const date = Date.UTC(part('year'), part('month') - 1, part('day'));
  return new Date(part('hour') >= hour ? date : date - dayMs).toISOString().slice(0, 10);
}
