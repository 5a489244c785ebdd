// The words of OneRoster, read alike wherever they stand: in a cell of a file or in a member of an answer. A word that no version
// knows is undefined, so that its row is one that cannot be read: it neither deletes nor enables anybody.
import type { RosterRole } from '../provider.ts';

/** Undefined: unreadable. */
export type Read<Value> = Value | undefined;

/** In lower case, without spaces around it; empty where nothing is said. */
function wordIn(value: unknown): Read<string> {
  if (value === undefined || value === null) return '';
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim().toLowerCase() : undefined;
}

/** False: deleted at the source. True where nothing is said, as in the rows of a bulk file. */
export function parseStatus(value: unknown): Read<boolean> {
  const word = wordIn(value);
  if (word === '' || word === 'active') return true;
  return word === 'tobedeleted' || word === 'inactive' ? false : undefined;
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ...(['true', '1', 'yes'] as const).map((word) => [word, true] as const),
  ...(['false', '0', 'no'] as const).map((word) => [word, false] as const),
]);

export function parseFlag(value: unknown, whenEmpty: boolean): Read<boolean> {
  const word = wordIn(value);
  return word === '' ? whenEmpty : flags.get(word ?? '?');
}

const roles: ReadonlyMap<string, RosterRole> = new Map([
  ['student', 'student'],
  ['teacher', 'teacher'],
  ...(['guardian', 'parent', 'relative'] as const).map((word) => [word, 'guardian'] as const),
  ...[
    ...['administrator', 'aide', 'counselor', 'districtadministrator', 'principal', 'proctor'],
    ...['siteadministrator', 'systemadministrator'],
  ].map((word) => [word, 'other'] as const),
]);

export const parseRole = (value: unknown): Read<RosterRole> => roles.get(wordIn(value) ?? '');
