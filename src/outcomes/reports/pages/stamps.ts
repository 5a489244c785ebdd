// Which rules a report was made with and of when it is, in the words of its foot.
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { labels } from './labels.ts';

/** `SSR@1` of a family with one document that is named like it, else `catalogue/subskills@2`. */
export const versionWords = (versions: Readonly<Record<string, number | undefined>>): string[] =>
  Object.entries(versions)
    .flatMap(([name, version]) => (version === undefined ? [] : [`${shortName(name)}@${version}`]))
    .sort();

function shortName(name: string): string {
  const [family, key] = name.split('/');
  return family !== undefined && family === key ? family.toUpperCase() : name;
}

/** `2027-01-18` as staff read it. */
export const staffDate = (date: string): string => date.split('-').map(Number).join('/');

/** Date and time at a place, to the minute; null where there is nothing yet. A word keeps the two numbers apart. */
export function localMoment(asOf: string | null, timeZone: string): string | null {
  if (asOf === null) return null;
  const instant = new Date(asOf);
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(instant);
  return `${staffDate(localDate(instant, timeZone))}، ${labels.at} ${time}`;
}
