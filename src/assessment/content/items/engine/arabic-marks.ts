// Arabic text as letters with their marks: the rules of full vowelling and of the canonical spelling.

export interface Letter {
  readonly letter: string;
  /** Vowel signs, shadda and sukun; empty on a bare letter. */
  readonly marks: string;
}

const wordPattern = /[\u0621-\u0652\u0670]+/gu;
const letterPattern = /([\u0621-\u063A\u0641-\u064A])([\u064B-\u0652\u0670]*)/gu;
/** Letters, marks, Arabic digits and the punctuation of prompts; no Latin text, no controls, no presentation forms. */
const foreign = /[^\u0621-\u063A\u0640-\u0652\u0670\u0660-\u0669 ،؛؟.:!«»…()/-]/u;
export const fatha = '\u064E';
export const damma = '\u064F';
export const kasra = '\u0650';
const shadda = '\u0651';
const sukun = '\u0652';
export const tanween = '\u064B\u064C\u064D';
export const tatweel = '\u0640';
/** Before these letters the lam of the article is silent; the letter is doubled and has the shadda. */
const sunLetters = 'تثدذرزسشصضطظلن';
export const proclitics = 'وفبكل';
/** At most two proclitics may precede the article: `وَبِالْ…`. */
const maxProclitics = 2;

/** Returns whether a text is canonical: NFC, so that marks have one order; no foreign characters; no extra spaces. */
export const isCanonicalText = (text: string): boolean =>
  text === text.normalize('NFC') && !foreign.test(text) && text === text.trim() && !text.includes('  ');

/**
 * Splits a text into words of letters. All characters outside the Arabic script, and tatweel, are separators or
 * ignored.
 */
export function wordsOfLetters(text: string): Letter[][] {
  const words = text.replaceAll(tatweel, '').match(wordPattern) ?? [];
  return words.map(lettersOf).filter((letters) => letters.length > 0);
}

export const lettersOf = (word: string): Letter[] =>
  [...word.matchAll(letterPattern)].map(([, letter = '', marks = '']) => ({ letter, marks }));

export const textOfLetters = (letters: readonly Letter[]) =>
  letters.map(({ letter, marks }) => letter + marks).join('');

/** Returns the words in which a letter lacks a required vowel or sukun; [] when the text is fully vowelled. */
export const unvowelledWords = (text: string): string[] =>
  wordsOfLetters(text)
    .filter((letters) => letters.some((_, index) => lacksVowel(letters, index)))
    .map(textOfLetters);

/** The last letter of a word may be unmarked (pausal ending). Shadda alone is no vowel. */
function lacksVowel(letters: readonly Letter[], index: number): boolean {
  const marks = letters[index]?.marks ?? '';
  if (index === letters.length - 1 || [...marks].some((mark) => mark !== shadda)) return false;
  return marks === shadda || !mayStandBare(letters, index);
}

/** Letters that need no mark: carriers of a long vowel, hamzat wasl, and the silent lam of an article. */
function mayStandBare(letters: readonly Letter[], index: number): boolean {
  const letter = letters[index]?.letter ?? '';
  const before = letters[index - 1];
  if (letter === 'آ') return true;
  if (letter === 'ا')
    return has(before, fatha) || (letters.slice(0, index).every(isProclitic) && index <= maxProclitics);
  if (letter === 'ى') return has(before, fatha);
  if (letter === 'و') return has(before, damma);
  if (letter === 'ي') return has(before, kasra);
  return letter === 'ل' && index > 0 && isAssimilating(letters[index + 1]);
}

const has = (letter: Letter | undefined, mark: string): boolean => letter?.marks.includes(mark) ?? false;

const isProclitic = ({ letter }: Letter): boolean => proclitics.includes(letter);

const isAssimilating = (letter: Letter | undefined): boolean =>
  letter !== undefined && (sunLetters.includes(letter.letter) || has(letter, shadda));

/**
 * Returns the words with invalid marks: two vowels on a letter, shadda with sukun, tanween before the end of the word.
 */
export const misplacedMarks = (text: string): string[] =>
  wordsOfLetters(text)
    .filter((letters) => letters.some(({ letter, marks }, at) => isUnreadable(letter, marks, letters.slice(at + 1))))
    .map(textOfLetters);

function isUnreadable(letter: string, marks: string, rest: readonly Letter[]): boolean {
  const vowels = [...marks].filter((mark) => mark !== shadda);
  if (vowels.length > 1 || marks.length > vowels.length + 1) return true;
  if (marks.includes(shadda) && marks.includes(sukun)) return true;
  const isTanween = vowels.some((mark) => tanween.includes(mark));
  return isTanween && ('اى'.includes(letter) || !endsAfterTanween(rest));
}

/** Tanween of fatha may be followed by its silent alef. */
const endsAfterTanween = ([next, ...others]: readonly Letter[]): boolean =>
  next === undefined || (others.length === 0 && 'اى'.includes(next.letter) && next.marks === '');

/**
 * Returns whether the written form can be read as the heard one: equal letters in equal words, each with the marks of
 * the heard letter or with none.
 */
export function spells(written: string, heard: string): boolean {
  const [words, heardWords] = [wordsOfLetters(written), wordsOfLetters(heard)];
  return words.length === heardWords.length && words.every((letters, at) => spellsWord(letters, heardWords[at] ?? []));
}

function spellsWord(written: readonly Letter[], heard: readonly Letter[]): boolean {
  if (written.length !== heard.length) return false;
  return written.every(({ letter, marks }, at) => {
    const other = heard[at];
    return other?.letter === letter && (marks === '' || other.marks === '' || marks === other.marks);
  });
}
