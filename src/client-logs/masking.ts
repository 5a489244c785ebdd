// What a browser reports may quote what a person typed or a token of the page: none of it is kept. Expressions without nested
// repetition, on texts whose length is checked before.

/** `[email]` for a mail address, `[token]` for what opens doors, `[number]` for 7 digits and more, however they are written. */
export const masked = (text: string): string =>
  masks.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), text);

const masks: readonly (readonly [RegExp, string])[] = [
  [/[^\s@<>"'()[\],;:]+@[^\s@<>"'()[\],;:]+/g, '[email]'],
  [/\bBearer +\S+/gi, '[token]'],
  // Three parts of base64url: a JSON Web Token, also a cut one.
  [/\b[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, '[token]'],
  // Words of letters and digits that nobody would type: ids, hashes, keys.
  [/\b(?=[A-Za-z_-]{0,200}\d)[\w-]{20,}/g, '[token]'],
  [/\+?\p{Nd}(?:[ .()\-\u00a0]{0,2}\p{Nd}){6,}/gu, '[number]'],
];

/** Without what an address carries along: its query and fragment are where codes and names stand. */
export const withoutQuery = (url: string): string => masked(url.slice(0, endOfPath(url)));

function endOfPath(url: string): number {
  const at = url.search(/[?#]/);
  return at === -1 ? url.length : at;
}
