// Which rules a report was made with and of when it is, in the words of its foot.
import { localDate } from '../../platform/pure/dates/calendar.ts';
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

const dash = '–';

/** Date and time at a place, to the minute; a dash where there is nothing yet. A word keeps the two numbers apart. */
export function localMoment(asOf: string | null, timeZone: string): string {
  if (asOf === null) return dash;
  const instant = new Date(asOf);
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(instant);
  return `${localDate(instant, timeZone)}، ${labels.at} ${time}`;
}
