// What it means for Arabic text to be fully vowelled, and to be written the one canonical way.

const marks = /[\u064B-\u0652\u0670]/u;
const letters = /[\u0621-\u064A]/u;
const foreign = /[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;
/** The lam before them is silent: its sound doubles the letter, which carries the shadda. */
const sunLetters = new Set('تثدذرزسشصضطظلن');
const longVowelCarriers = new Set('اويى');
const neverMarked = new Set('اآى');

/** Composed (NFC), so that marks stand in one order; no controls that change what is seen. */
export const isCanonicalText = (text: string): boolean => text === text.normalize('NFC') && !foreign.test(text);

/** Text without its marks. */
export const withoutMarks = (text: string): string => text.replaceAll(/[\u064B-\u0652\u0670]/gu, '');

export const hasMarks = (text: string): boolean => marks.test(text);

/** Words of which some letter lacks the mark that it needs; [] means fully vowelled. */
export const unvowelledWords = (text: string): string[] =>
  text.split(/[^\u0621-\u0652\u0670]+/u).filter((word) => letters.test(word) && !isVowelled(word));

/**
 * Every letter carries a mark, except: the carriers of long vowels, alef, the lam of an article before a sun letter, and
 * the last letter of a word (a pausal ending). One letter alone is a letter, not a word.
 */
function isVowelled(word: string): boolean {
  const units = unitsOf(word);
  if (units.length === 1) return true;
  return units.every(({ letter, marked }, index) => {
    if (marked || neverMarked.has(letter) || index === units.length - 1) return true;
    if (longVowelCarriers.has(letter) && index > 0) return true;
    return letter === 'ل' && sunLetters.has(units[index + 1]?.letter ?? '');
  });
}

function unitsOf(word: string): { letter: string; marked: boolean }[] {
  const units: { letter: string; marked: boolean }[] = [];
  for (const character of word) {
    const last = units.at(-1);
    if (marks.test(character)) {
      if (last) last.marked = true;
    } else if (character !== '\u0640') units.push({ letter: character, marked: false });
  }
  return units;
}
