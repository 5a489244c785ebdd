// The style sheet of marks: one product writes Arabic one way. It speaks of vowelled text; what may stand without marks
// is said by `cell-kinds.ts`.
import { damma, fatha, kasra, type Letter, lettersOf, tanween, textOf, unvowelledWords } from '../arabic-marks.ts';
import { nameOf, type WordLists } from './word-lists.ts';

const daggerAlef = '\u0670';
const tanweenOfFatha = '\u064B';
const wordPattern = /[\u0621-\u063A\u0640-\u0652\u0670]+/gu;

interface PlacedWord {
  readonly letters: readonly Letter[];
  /** What stands between it and the word before; null at the start of the text. */
  readonly gap: string | null;
}

/** One line a word that the style sheet refuses; [] means that the text is written as the product writes. */
export function styleIssues(text: string, lists: WordLists): string[] {
  const words = placedWords(text);
  const bare = [...new Set([...unvowelledWords(text), ...words.filter(isBareAtEnd).map(wordText)])];
  return [
    ...(bare.length === 0 ? [] : [`not fully vowelled: ${bare.join(' ')}`]),
    ...words.flatMap(({ letters, gap }) => [
      ...waslaIssue(letters, gap),
      ...tanweenIssue(letters),
      ...nameIssue(letters, lists),
      ...daggerIssue(letters, lists),
    ]),
  ];
}

const wordText = ({ letters }: PlacedWord) => textOf(letters);

function placedWords(text: string): PlacedWord[] {
  let end: number | null = null;
  return [...text.matchAll(wordPattern)].flatMap((match) => {
    const gap = end === null ? null : text.slice(end, match.index);
    end = match.index + match[0].length;
    const letters = lettersOf(match[0].replaceAll('\u0640', ''));
    return letters.length === 0 ? [] : [{ letters, gap }];
  });
}

/** The last letter has its vowel or sukun, unless it is long itself or stands alone, as a letter that is shown. */
function isBareAtEnd({ letters }: PlacedWord): boolean {
  const last = letters.at(-1);
  const before = letters.at(-2);
  if (!last || !before || [...last.marks].some((mark) => mark !== '\u0651')) return false;
  return last.marks !== '' || !mayEndBare(last.letter, before);
}

function mayEndBare(letter: string, { letter: previous, marks }: Letter): boolean {
  if (letter === 'آ') return true;
  const afterFatha = marks.includes(fatha) || marks.includes(tanweenOfFatha) || marks.includes(daggerAlef);
  if (letter === 'ا') return afterFatha || previous === 'و';
  if (letter === 'ى') return afterFatha;
  return (letter === 'و' && marks.includes(damma)) || (letter === 'ي' && marks.includes(kasra));
}

/** An alef that begins a word is a joining one: heard, and vowelled, at the start of an utterance, silent inside it. */
function waslaIssue(letters: readonly Letter[], gap: string | null): string[] {
  const [first, second] = letters;
  if (first?.letter !== 'ا' || !second) return [];
  const begins = gap === null || /[.؟!]/u.test(gap);
  if (begins && first.marks === '') return [`initial alef without its vowel: ${textOf(letters)}`];
  if (gap !== null && /^ +$/u.test(gap) && first.marks !== '') {
    return [`silent alef with a vowel: ${textOf(letters)}`];
  }
  const isArticle = second.letter === 'ل';
  return first.marks.includes(fatha) && !isArticle ? [`only the article begins with َا: ${textOf(letters)}`] : [];
}

/** Its alef follows, but for ة, for a hamza on or after alef, and for ى. */
function tanweenIssue(letters: readonly Letter[]): string[] {
  const last = letters.at(-1);
  if (!last?.marks.includes(tanweenOfFatha)) return [];
  const before = letters.at(-2)?.letter;
  const needsNone = 'ةأىؤ'.includes(last.letter) || (last.letter === 'ء' && (before === 'ا' || before === 'آ'));
  return needsNone ? [] : [`tanween of fatha without its alef: ${textOf(letters)}`];
}

function nameIssue(letters: readonly Letter[], { namesWithoutTanween }: WordLists): string[] {
  const last = letters.at(-1);
  if (!last || ![...last.marks].some((mark) => tanween.includes(mark) || mark === kasra)) return [];
  const name = nameOf(letters, namesWithoutTanween);
  return name === undefined ? [] : [`the name ${name} takes neither tanween nor kasra: ${textOf(letters)}`];
}

function daggerIssue(letters: readonly Letter[], { daggerAlefWords }: WordLists): string[] {
  const text = textOf(letters);
  if (!text.includes(daggerAlef) || daggerAlefWords.some((word) => text.includes(word))) return [];
  return [`dagger alef: ${text}`];
}
