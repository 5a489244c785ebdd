// A browser's report may quote what a person typed, a name or a token of the page; all of it is masked before it is stored.
// Each expression matches one run of one class of characters, so matching is linear in the length of the text.

/** Returns the words of at least three letters in these names, folded for comparison. */
export const nameWordsOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(
    names
      .flatMap((name) => folded(name).match(words) ?? [])
      .filter(({ length }) => length >= 3)
      .map(lowerCase),
  );

/** The lengths that the request schema allows. Folding can lengthen a text: NFKC expands some characters to many. */
const longest = { message: 1_000, url: 2_048 };
const folded = (text: string) => text.normalize('NFKC');
const lowerCase = (word: string) => word.toLowerCase();

/**
 * Replaces e-mail addresses by `[email]`, credentials and ids by `[token]`, and numbers of at least 7 digits by `[number]`.
 * Words of `names` and letters beyond ASCII (Arabic names) become `…`.
 */
export const masked = (message: string, names: ReadonlySet<string>): string =>
  maskedWithin(folded(message).slice(0, longest.message), names);

function maskedWithin(text: string, names: ReadonlySet<string>): string {
  const rest = masks.reduce((left, { pattern, instead }) => left.replaceAll(pattern, instead), text.toWellFormed());
  return rest.replaceAll(words, (word) => (names.has(lowerCase(word)) ? '…' : word.replaceAll(beyondAscii, '…')));
}

const words = /[\p{L}\p{M}]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const beyondAscii = /[^\x00-\x7f]+/g;

interface Mask {
  readonly pattern: RegExp;
  readonly instead: (match: string) => string;
}

const masks: readonly Mask[] = [
  { pattern: /[^\s<>"'()[\],;:]+/g, instead: (run) => (isAddress(run) ? '[email]' : run) },
  { pattern: /\bBearer {1,9}\S+/gi, instead: () => '[token]' },
  // Parts of base64url: a JSON Web Token, possibly truncated.
  { pattern: /[\w.-]+/g, instead: (run) => (hasLongParts(run) ? '[token]' : run) },
  // Long words of letters and digits: ids, hashes, keys.
  { pattern: /[\w-]+/g, instead: (run) => (run.length >= 20 && /\d/.test(run) ? '[token]' : run) },
  { pattern: /\+?\p{Nd}(?:[ .()\-\u00a0]{0,2}\p{Nd}){6,60}/gu, instead: () => '[number]' },
];

function isAddress(run: string): boolean {
  const at = run.indexOf('@');
  return at > 0 && at < run.length - 1;
}

function hasLongParts(run: string): boolean {
  const parts = run.split('.');
  return parts.some(({ length }, at) => length >= 8 && (parts[at + 1]?.length ?? 0) >= 8);
}

/** Returns the masked URL without its query and fragment, which may contain codes and names. */
export function withoutQuery(url: string, names: ReadonlySet<string>): string {
  const address = folded(url).slice(0, longest.url);
  return maskedWithin(address.slice(0, endOfPath(address)), names);
}

function endOfPath(url: string): number {
  const at = url.search(/[?#]/);
  return at === -1 ? url.length : at;
}
