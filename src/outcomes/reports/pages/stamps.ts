// Formats the rule versions and the moment of a report's footer.
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { reportLabels } from './labels.ts';

/** Returns `SSR@1` for a family with one document of the same name, else `catalogue/subskills@2`. */
export const versionWords = (versions: Readonly<Record<string, number | undefined>>): string[] =>
  Object.entries(versions)
    .flatMap(([name, version]) => (version === undefined ? [] : [`${shortName(name)}@${version}`]))
    .sort();

function shortName(name: string): string {
  const [family, key] = name.split('/');
  return family !== undefined && family === key ? family.toUpperCase() : name;
}

/** Formats `2027-01-18` as `2027/1/18`. */
export const staffDate = (date: string): string => date.split('-').map(Number).join('/');

/** Returns the local date and time to the minute; null without data. A word separates the two numbers. */
export function localMoment(asOf: string | null, timeZone: string): string | null {
  if (asOf === null) return null;
  const instant = new Date(asOf);
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(instant);
  return `${staffDate(localDate(instant, timeZone))}، ${reportLabels.at} ${time}`;
}
