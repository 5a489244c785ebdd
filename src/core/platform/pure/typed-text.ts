// Texts as people type them: names with stray blanks and controls, and codes in the digits of any script.

const digit = /\p{Nd}/u;

/** Returns the value of a decimal digit of any script. The digits of a script are ten consecutive code points from zero. */
export function digitValue(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  let before = 0;
  while (digit.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return before % 10;
}

/**
 * Returns a typed code with digits 0–9 and full letters, without the blanks, hyphens and invisible characters that people
 * or keyboards put between.
 */
export const typedCode = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\p{Cf}\u2212]/gu, '')
    .replace(/\p{Nd}/gu, (one) => String(digitValue(one)));

/** Joiners and non-joiners of no width are part of a spelling. Other such characters turn or hide their neighbours. */
const formatControls = /(?![\u200c\u200d])\p{Cf}/gu;
const blanks = /[\s\u0085]+/gu;
const isSeen = /[^\s\u200c\u200d]/u;

/** Returns a name in NFC, with single blanks, without controls, trimmed. It is empty when nothing of it can be seen. */
export function cleanName(text: string): string {
  const spaced = text
    .replace(formatControls, '')
    .replace(blanks, ' ')
    .replace(/\p{Cc}/gu, '');
  const name = spaced.normalize('NFC').replace(/ +/g, ' ').trim();
  return isSeen.test(name) ? name : '';
}
