// Names and addresses of a row that can be wrong by themselves.
import { fullName } from '../engine/normal.ts';
import type { PersonRow } from '../provider.ts';

/** Characters of a full name. */
export const mostNameLength = 200;
const mostEmailLength = 254;

export const isEmail = (text: string): boolean =>
  text.length <= mostEmailLength && /^[^\s@<>(),;:"[\]\\]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim());

/** Whoever is deleted need not have a name any more. */
export const deletedNames = (names: PersonRow['names']): PersonRow['names'] => (fullName(names) === null ? [] : names);
