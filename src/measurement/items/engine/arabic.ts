// Arabic text as letters with their marks, so that spelling and vowelling can be compared letter by letter.

export interface Letter {
  readonly letter: string;
  /** Vowel signs, shadda and sukun in NFC order; empty on a bare letter. */
  readonly marks: string;
}

const word = /[\u0621-\u065F\u0670]+/gu;
const letterWithMarks = /([\u0621-\u064A])([\u064B-\u065F\u0670]*)/gu;

export const fatha = '\u064E';
export const damma = '\u064F';
export const kasra = '\u0650';
export const shadda = '\u0651';
export const sukun = '\u0652';
export const tanween = '\u064B\u064C\u064D';
export const tatweel = '\u0640';

/** The words of a text; whatever is not Arabic script separates them, tatweel is no letter. */
export function wordsOf(text: string): Letter[][] {
  return (text.normalize('NFC').match(word) ?? []).map(lettersOf).filter((letters) => letters.length > 0);
}

function lettersOf(wordText: string): Letter[] {
  return [...wordText.replaceAll(tatweel, '').matchAll(letterWithMarks)].map(([, letter = '', marks = '']) => ({
    letter,
    marks,
  }));
}

export const wordText = (letters: readonly Letter[]): string =>
  letters.map(({ letter, marks }) => letter + marks).join('');

/**
 * The written form can be read as the heard one: same letters in the same words, and every letter carries the marks of
 * the heard one or none.
 */
export function spells(written: string, heard: string): boolean {
  const [left, right] = [wordsOf(written), wordsOf(heard)];
  return left.length === right.length && left.every((letters, index) => spellsWord(letters, right[index] ?? []));
}

function spellsWord(written: readonly Letter[], heard: readonly Letter[]): boolean {
  if (written.length !== heard.length) return false;
  return written.every(({ letter, marks }, index) => {
    const other = heard[index];
    return other?.letter === letter && (marks === '' || other.marks === '' || marks === other.marks);
  });
}
