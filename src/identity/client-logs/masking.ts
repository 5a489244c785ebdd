// What a browser reports may quote what a person typed, a name or a token of the page: none of it is kept. Each expression is
// one run of one class of characters, so that no text, whatever its length, is looked at more than once by each.

/** The words of three letters and more of these names, as they are compared. */
export const wordsOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(
    names
      .flatMap((name) => folded(name).match(words) ?? [])
      .filter(({ length }) => length >= 3)
      .map(lowerCase),
  );

/** As long as what may be sent: some characters stand for a whole sentence, which is what folding makes of them. */
const longest = { message: 1_000, url: 2_048 };
const folded = (text: string) => text.normalize('NFKC');
const lowerCase = (word: string) => word.toLowerCase();

/**
 * `[email]` for a mail address, `[token]` for what opens doors, `[number]` for 7 digits and more, however they are written; `…`
 * for the words of `names` and for letters beyond ASCII, which is what names of this country are written in.
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
  // Parts of base64url: a JSON Web Token, also a cut one.
  { pattern: /[\w.-]+/g, instead: (run) => (hasLongParts(run) ? '[token]' : run) },
  // Words of letters and digits that nobody would type: ids, hashes, keys.
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

/** Without what an address carries along: its query and fragment are where codes and names stand. */
export function withoutQuery(url: string, names: ReadonlySet<string>): string {
  const address = folded(url).slice(0, longest.url);
  return maskedWithin(address.slice(0, endOfPath(address)), names);
}

function endOfPath(url: string): number {
  const at = url.search(/[?#]/);
  return at === -1 ? url.length : at;
}
