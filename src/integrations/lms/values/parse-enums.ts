// Parses the enums of OneRoster, in a cell of a file or a member of a response. A value that no version knows is undefined,
// so that its row counts as unreadable: it neither deletes nor enables a person.
import type { RosterRole } from '../provider.ts';

/** Undefined when the value cannot be read. */
export type Read<Value> = Value | undefined;

/** Returns the value in lower case without surrounding spaces, and an empty text when there is none. */
function lowerCased(value: unknown): Read<string> {
  if (value === undefined || value === null) return '';
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim().toLowerCase() : undefined;
}

/** Returns false when the row is deleted at the source, and true when it has no status, as in a bulk file. */
export function parseStatus(value: unknown): Read<boolean> {
  const word = lowerCased(value);
  if (word === '' || word === 'active') return true;
  return word === 'tobedeleted' || word === 'inactive' ? false : undefined;
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ...(['true', '1', 'yes'] as const).map((word) => [word, true] as const),
  ...(['false', '0', 'no'] as const).map((word) => [word, false] as const),
]);

export function parseFlag(value: unknown, whenEmpty: boolean): Read<boolean> {
  const word = lowerCased(value);
  return word === '' ? whenEmpty : flags.get(word ?? '?');
}

const roles: ReadonlyMap<string, RosterRole> = new Map([
  ['student', 'student'],
  ['teacher', 'teacher'],
  ...(['guardian', 'parent', 'relative'] as const).map((word) => [word, 'guardian'] as const),
  ...[
    'administrator',
    'aide',
    'counselor',
    'districtadministrator',
    'principal',
    'proctor',
    'siteadministrator',
    'systemadministrator',
  ].map((word) => [word, 'other'] as const),
]);

export const parseRole = (value: unknown): Read<RosterRole> => roles.get(lowerCased(value) ?? '');
