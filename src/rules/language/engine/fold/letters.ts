// The folding of single characters: variants of a letter fold to one form; marks and invisible characters fold to
// nothing. The table is contract 60 §3.
import { digitValue } from '#core/platform/pure/typed-text.ts';

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

/** Marks, direction and shaping controls, tatweel and filler letters. */
const unseen = /[\p{Cf}\p{Mn}\p{Me}\u0640\u0674\u115f\u1160\u3164\uffa0]/u;
/** Short vowels, shadda, sukun and dagger alef, which exact rules keep. */
const vowelMark = /[\u064b-\u0652\u0670]/;
const digit = /\p{Nd}/u;
const mark = /[\p{Mn}\p{Me}\u0640]/u;
const wordLike = /[\p{L}\p{N}\u064b-\u0652\u0670]/u;

/** Returns whether the code point is a mark: part of the word before it, although it is not compared. */
export const isMark = (codePoint: number): boolean => mark.test(String.fromCodePoint(codePoint));

/** Maps a code point to its folded form; empty when it folds to nothing. `isExact` keeps vowel marks. */
export type FoldCodePoint = (codePoint: number) => string;

/** Caches the folding of code points below the Arabic presentation forms, since most characters repeat. */
function remembered(fold: FoldCodePoint): FoldCodePoint {
  const known: (string | undefined)[] = [];
  return (codePoint) => {
    if (codePoint > 0x0fff) return fold(codePoint);
    const folded = known[codePoint] ?? fold(codePoint);
    known[codePoint] = folded;
    return folded;
  };
}

export const foldLoosely: FoldCodePoint = remembered((codePoint) => folded(codePoint, false));
export const foldExactly: FoldCodePoint = remembered((codePoint) => folded(codePoint, true));

function folded(codePoint: number, isExact: boolean): string {
  let text = '';
  for (const part of String.fromCodePoint(codePoint).normalize('NFKD')) {
    if (unseen.test(part)) text += isExact && vowelMark.test(part) ? part : '';
    else text += digit.test(part) ? String(digitValue(part)) : (letters.get(part) ?? part.toLowerCase());
  }
  return text;
}

/** Cache by UTF-16 unit: 0 unknown, 1 part of a word, 2 not part of a word. */
const wordUnits = new Uint8Array(0x1_0000);
const [inWord, between] = [1, 2];

/** Returns whether a folded unit is part of a word: a run of letters and digits. Half a character counts as a letter. */
function isWordCode(code: number): boolean {
  if (wordUnits[code] === 0) {
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    wordUnits[code] = isHalf || wordLike.test(String.fromCharCode(code)) ? inWord : between;
  }
  return wordUnits[code] === inWord;
}

/** Returns whether the unit at a position is part of a word; a surrogate pair is tested as one character. */
export function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return isWordCode(code);
  const codePoint = text.codePointAt(code >= 0xdc00 ? at - 1 : at) ?? code;
  return codePoint <= 0xffff || wordLike.test(String.fromCodePoint(codePoint));
}

export const isLetter = (unit: string): boolean => /\p{L}/u.test(unit);
