// Ids of rows, and secrets. The only source of randomness of the service.
import { randomBytes } from 'node:crypto';
import { isCuid } from '@paralleldrive/cuid2';
import { sha256Hex } from './pure/canonical-json.ts';

const idLength = 24;
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const letters = 26;
/** Random bytes are drawn for many ids at once, since one draw costs as much as a hundred ids. */
const pool = { bytes: Buffer.alloc(0), used: 0 };
const poolSize = 4_096;

/** Returns a new id in the form of a cuid2: 24 characters, the first a letter; 123 random bits. */
export function newId(): string {
  let id = alphabet[randomBelow(letters)] ?? '';
  while (id.length < idLength) id += alphabet[randomBelow(alphabet.length)] ?? '';
  return id;
}

/** Returns each value with the same probability: bytes of the last, incomplete range are drawn again. */
function randomBelow(limit: number): number {
  const fair = 256 - (256 % limit);
  let byte = nextByte();
  while (byte >= fair) byte = nextByte();
  return byte % limit;
}

function nextByte(): number {
  if (pool.used === pool.bytes.length) {
    pool.bytes = randomBytes(poolSize);
    pool.used = 0;
  }
  return pool.bytes[pool.used++] ?? 0;
}

/** Returns an id of the same form, derived from a text, for rows that are computed instead of stored. */
export function idOfText(text: string): string {
  const digits = BigInt(`0x${sha256Hex(text)}`).toString(alphabet.length);
  return `l${digits.padStart(idLength - 1, '0').slice(0, idLength - 1)}`;
}

export const isId = (text: string): boolean => text.length === idLength && isCuid(text);

/** Returns the numeric row id in a text, or undefined if it cannot be one. No row needs to have it. */
export function rowIdIn(text: string): number | undefined {
  const id = Number(text);
  return /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(id) ? id : undefined;
}

/** Returns a bearer secret of 32 random bytes as base64url (43 characters); only its hash is stored. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
