// Normalizes and checks the names and email addresses of a source.
import { cleanName } from '#core/platform/pure/typed-text.ts';
import { foldedWords } from '#rules/language/engine/index.ts';

/** In characters of a full name. */
export const maxNameLength = 200;
const maxEmailLength = 254;
/** Joins given, middle and family name, in NFC with single spaces. Returns null when the result is empty or too long. */
export function fullName(names: readonly (string | null)[]): string | null {
  const joined = cleanName(names.map((name) => name ?? '').join(' '));
  return joined === '' || joined.length > maxNameLength ? null : joined;
}

/** Returns null when there is no address, and undefined for a text that cannot be an address. */
export function accountEmail(text: string | null): string | null | undefined {
  const email = (text ?? '').trim().toLowerCase();
  if (email === '') return null;
  if (email.length > maxEmailLength) return undefined;
  return /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(email) ? email : undefined;
}

/** Whether a source may send this address; `accountEmail` decides whether an account can have it. */
export const isSourceEmail = (text: string): boolean =>
  text.length <= maxEmailLength && /^[^\s@<>(),;:"[\]\\]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text.trim());

/** Returns the names of a deleted person, which may be missing. */
export const deletedNames = (names: readonly (string | null)[]): readonly (string | null)[] =>
  fullName(names) === null ? [] : names;

/** Returns whether the names have no word in common, apart from spelling. Returns false when there is no earlier name. */
export function isWhollyOther(before: string | null, now: string | null): boolean {
  if (before === null || now === null) return false;
  const words = new Set(foldedWords(before));
  return words.size > 0 && !foldedWords(now).some((word) => words.has(word));
}
