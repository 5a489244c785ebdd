// Texts as people type them: names with stray blanks and controls, and codes in the digits of any script.

const digit = /\p{Nd}/u;

/** Returns the value of a decimal digit of any script. The digits of a script are ten consecutive code points from zero. */
export function digitValue(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  let before = 0;
  while (digit.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return before % 10;
}

/** Returns a typed code with digits 0–9, without the blanks, hyphens and invisible characters that people put between. */
export const typedCode = (text: string): string =>
  text.replace(/[\s\p{Pd}\p{Cf}\u2212]/gu, '').replace(/\p{Nd}/gu, (one) => String(digitValue(one)));

/** Zero width joiners and non-joiners are part of the spelling; other controls can turn or hide what stands beside them. */
const controls = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** Returns a name in NFC, with single blanks, without controls, trimmed. It may be empty. */
export const cleanName = (text: string): string =>
  text.normalize('NFC').replace(/\s+/gu, ' ').replace(controls, '').normalize('NFC').replace(/ +/g, ' ').trim();
