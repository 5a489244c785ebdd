// What one character is for comparison: the same letter however it is shaped, pointed or marked; nothing for marks and
// what cannot be seen. The table is contract 60 §3.

const pairs: readonly (readonly [string, string])[] = [
  ['أإآٱٲٳٵ', 'ا'],
  ['ىیېےئ', 'ي'],
  ['ؤ', 'و'],
  ['ةہھەۃ', 'ه'],
  ['کڪگ', 'ك'],
  ['ڡ', 'ف'],
  ['ٯ', 'ق'],
  ['ٮ', 'ب'],
  ['ں', 'ن'],
];
const letters = new Map(pairs.flatMap(([from, to]) => [...from].map((letter) => [letter, to] as const)));

/** Marks, controls of direction and shape, the letter's own stretching, and letters that only fill a place. */
const unseen = /[\p{Cf}\p{Mn}\p{Me}\u0640\u0674\u115f\u1160\u3164\uffa0]/u;
/** Short vowels, shadda, sukun and dagger alef: kept where a rule is exact. */
const vowelMark = /[\u064b-\u0652\u0670]/;
const digit = /\p{Nd}/u;
const mark = /[\p{Mn}\p{Me}\u0640]/u;
const wordLike = /[\p{L}\p{N}\u064b-\u0652\u0670]/u;

/** Belongs to the word before it, though it is not compared. */
export const isMark = (codePoint: number): boolean => mark.test(String.fromCodePoint(codePoint));

/** `isExact` keeps vowel marks. Empty: the character is nothing. */
export type Folder = (codePoint: number) => string;

/** Most characters are asked for again and again. Above the Arabic presentation forms nothing is remembered. */
function remembered(fold: Folder): Folder {
  const known: (string | undefined)[] = [];
  return (codePoint) => {
    if (codePoint > 0x0fff) return fold(codePoint);
    const folded = known[codePoint] ?? fold(codePoint);
    known[codePoint] = folded;
    return folded;
  };
}

export const foldLoosely: Folder = remembered((codePoint) => folded(codePoint, false));
export const foldExactly: Folder = remembered((codePoint) => folded(codePoint, true));

function folded(codePoint: number, isExact: boolean): string {
  let text = '';
  for (const part of String.fromCodePoint(codePoint).normalize('NFKD')) {
    if (unseen.test(part)) text += isExact && vowelMark.test(part) ? part : '';
    else text += digit.test(part) ? digitOf(part) : (letters.get(part) ?? part.toLowerCase());
  }
  return text;
}

/** Digits of one script are ten in a row, zero first; those of mathematics, which adjoin, were decomposed before. */
function digitOf(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && digit.test(String.fromCodePoint(codePoint - value - 1))) value += 1;
  return String(value);
}

/** Of each UTF-16 unit: 0 not asked yet, 1 part of a word, 2 not. */
const wordUnits = new Uint8Array(0x1_0000);
const [inWord, between] = [1, 2];

/** Whether a folded unit is part of a word: a run of letters and digits. Half a character counts as a letter. */
function isWordCode(code: number): boolean {
  if (wordUnits[code] === 0) {
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    wordUnits[code] = isHalf || wordLike.test(String.fromCharCode(code)) ? inWord : between;
  }
  return wordUnits[code] === inWord;
}

/** The same of the unit at a place, where both halves of a character are there to be asked. */
export function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return isWordCode(code);
  const codePoint = text.codePointAt(code >= 0xdc00 ? at - 1 : at) ?? code;
  return codePoint <= 0xffff || wordLike.test(String.fromCodePoint(codePoint));
}

export const isLetter = (unit: string): boolean => /\p{L}/u.test(unit);
