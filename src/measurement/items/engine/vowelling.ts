// Whether a text is fully vowelled: what children of grades 1 and 2 read, and what a voice is given to say.
import { damma, fatha, kasra, type Letter, shadda, sukun, tanween, wordsOf, wordText } from './arabic.ts';

const sunLetters = 'تثدذرزسشصضطظلن';
const proclitics = 'وفبكل';
/** `وَبِالْ…`: the hamzat wasl of the article stands among the first letters of a word. */
const lastProcliticIndex = 2;

/** Words with a letter that should carry a vowel or sukun and does not; empty when the text is fully vowelled. */
export function unvowelledWords(text: string): string[] {
  return wordsOf(text)
    .filter((letters) => letters.some((_, index) => lacksVowel(letters, index)))
    .map(wordText);
}

function lacksVowel(letters: readonly Letter[], index: number): boolean {
  const { letter = '', marks = '' } = letters[index] ?? {};
  const isLast = index === letters.length - 1;
  if (isLast || [...marks].some((mark) => mark !== shadda)) return false;
  return marks === shadda || !mayStandBare(letter, letters[index - 1], letters[index + 1], index);
}

/** Long-vowel carriers after their vowel, hamzat wasl, آ, and the lam of an article that is not pronounced. */
function mayStandBare(letter: string, before: Letter | undefined, after: Letter | undefined, index: number): boolean {
  if (letter === 'آ') return true;
  if (letter === 'ا') return before === undefined || carries(before, fatha) || isProclitic(before, index - 1);
  if (letter === 'و') return carries(before, damma);
  if (letter === 'ي') return carries(before, kasra);
  return letter === 'ل' && index > 0 && isAssimilating(after);
}

const carries = (letter: Letter | undefined, vowel: string): boolean => letter?.marks.includes(vowel) ?? false;

const isProclitic = ({ letter }: Letter, index: number): boolean =>
  index < lastProcliticIndex && proclitics.includes(letter);

const isAssimilating = (letter: Letter | undefined): boolean =>
  letter !== undefined && (sunLetters.includes(letter.letter) || letter.marks.includes(shadda));

/** Marks that no reader can read: two vowels on one letter, shadda with sukun, tanween inside a word, on a carrier. */
export function misplacedMarks(text: string): string[] {
  return wordsOf(text)
    .filter((letters) => letters.some(({ letter, marks }, index) => isMisplaced(letter, marks, letters.slice(index + 1))))
    .map(wordText);
}

function isMisplaced(letter: string, marks: string, rest: readonly Letter[]): boolean {
  const vowels = [...marks].filter((mark) => mark !== shadda);
  if (vowels.length > 1 || marks.length - vowels.length > 1) return true;
  if (marks.includes(shadda) && marks.includes(sukun)) return true;
  const isTanween = vowels.some((mark) => tanween.includes(mark));
  return isTanween && (letter === 'ا' || !endsAfterTanween(rest));
}

/** Tanween ends a word; the fatha form may be followed by its silent alef or alef maqsura. */
const endsAfterTanween = (rest: readonly Letter[]): boolean =>
  rest.length === 0 || (rest.length === 1 && 'اى'.includes(rest[0]?.letter ?? '-') && rest[0]?.marks === '');
