// Ids of rows, and secrets. Randomness enters the service here and nowhere else.
import { randomBytes } from 'node:crypto';
import { createId, isCuid } from '@paralleldrive/cuid2';

/** A new cuid2, 24 characters. */
export const newId = (): string => createId();

export const isId = (text: string): boolean => text.length === 24 && isCuid(text);

/** The id of a row with a number in a text; undefined for what can be none. The number may still be of no row. */
export function rowIdIn(text: string): number | undefined {
  const id = Number(text);
  return /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(id) ? id : undefined;
}

/** A bearer secret of 32 random bytes as base64url (43 characters); only its hash is ever stored. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
