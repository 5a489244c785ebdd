// What single cells say. A word that no version knows makes the row one that cannot be read.
import type { RosterRole } from '../../provider.ts';

const mostIdLength = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ids hold none
const control = /[\u0000-\u001f\u007f]/;

export const isId = (text: string): boolean => text !== '' && text.length <= mostIdLength && !control.test(text);

/** Undefined: unreadable. */
type Read<Value> = Value | undefined;

const roles: ReadonlyMap<string, RosterRole> = new Map([
  ['student', 'student'],
  ['teacher', 'teacher'],
  ...(['guardian', 'parent', 'relative'] as const).map((word) => [word, 'guardian'] as const),
  ...[
    ...['administrator', 'aide', 'counselor', 'districtadministrator', 'principal', 'proctor'],
    ...['siteadministrator', 'systemadministrator'],
  ].map((word) => [word, 'other'] as const),
]);

export const roleIn = (text: string): Read<RosterRole> => roles.get(text.toLowerCase());

/** Of a bulk file it may be empty. */
export function isActiveIn(status: string): Read<boolean> {
  const word = status.toLowerCase();
  if (word === '' || word === 'active') return true;
  return word === 'tobedeleted' || word === 'inactive' ? false : undefined;
}

export function flagIn(text: string, whenEmpty: boolean): Read<boolean> {
  const word = text.toLowerCase();
  if (word === '') return whenEmpty;
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** YYYY-MM-DD of a day that there is; null where none is said. */
export function dateIn(text: string): Read<string | null> {
  if (text === '') return null;
  if (text.length !== 10 || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text) ? text : undefined;
}

/** Grades 1 to 4 of a list; others the service does not teach. */
export const gradesIn = (text: string): number[] => [
  ...new Set(listIn(text).flatMap((word) => (/^0?[1-4]$/.test(word) ? [Number(word)] : []))),
];

export const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export const orNull = (text: string): string | null => (text === '' ? null : text);
