// Names and addresses as they are compared and stored, however a source writes them.
import { foldedWords } from '#rules/language/engine/index.ts';

const mostNameLength = 200;
const mostEmailLength = 254;
/** Marks that turn the direction of a text, and what no text shows. */
const unshown = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Given, middle and family name, in NFC with single spaces; null where nothing is left, or too much. */
export function fullName(names: readonly (string | null)[]): string | null {
  const joined = names
    .map((name) => name ?? '')
    .join(' ')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(unshown, '')
    .replace(/ +/g, ' ')
    .trim();
  return joined === '' || joined.length > mostNameLength ? null : joined;
}

/** Null: none is said. Undefined: none that could be one. */
export function emailOf(text: string | null): string | null | undefined {
  const email = (text ?? '').trim().toLowerCase();
  if (email === '') return null;
  if (email.length > mostEmailLength) return undefined;
  return /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(email) ? email : undefined;
}

/** The names have no word in common, however their letters are written. False where there is none before. */
export function isWhollyOther(before: string | null, now: string | null): boolean {
  if (before === null || now === null) return false;
  const words = new Set(foldedWords(before));
  return words.size > 0 && !foldedWords(now).some((word) => words.has(word));
}
