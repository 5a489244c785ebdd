// The spelling style of vowelled text, uniform over the product. `cell-kinds.ts` defines what may be unvowelled.
import {
  damma,
  fatha,
  kasra,
  type Letter,
  lettersOf,
  tanween,
  textOfLetters,
  unvowelledWords,
} from '../arabic-marks.ts';
import { nameOf, type WordLists } from './word-lists.ts';

const daggerAlef = '\u0670';
const tanweenOfFatha = '\u064B';
const wordPattern = /[\u0621-\u063A\u0640-\u0652\u0670]+/gu;

interface WordInText {
  readonly letters: readonly Letter[];
  /** The text between this word and the one before; null at the start of the text. */
  readonly gap: string | null;
}

/** Returns one line per word that violates the style; [] when the text conforms. */
export function styleIssues(text: string, lists: WordLists): string[] {
  const words = wordsInText(text);
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

const wordText = ({ letters }: WordInText) => textOfLetters(letters);

function wordsInText(text: string): WordInText[] {
  let end: number | null = null;
  return [...text.matchAll(wordPattern)].flatMap((match) => {
    const gap = end === null ? null : text.slice(end, match.index);
    end = match.index + match[0].length;
    const letters = lettersOf(match[0].replaceAll('\u0640', ''));
    return letters.length === 0 ? [] : [{ letters, gap }];
  });
}

/** Returns whether the last letter lacks its vowel or sukun. A long vowel or a single shown letter needs none. */
function isBareAtEnd({ letters }: WordInText): boolean {
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

/** An initial joining alef (wasla) is vowelled at the start of an utterance and silent inside it. */
function waslaIssue(letters: readonly Letter[], gap: string | null): string[] {
  const [first, second] = letters;
  if (first?.letter !== 'ا' || !second) return [];
  const begins = gap === null || /[.؟!]/u.test(gap);
  if (begins && first.marks === '') return [`initial alef without its vowel: ${textOfLetters(letters)}`];
  if (gap !== null && /^ +$/u.test(gap) && first.marks !== '') {
    return [`silent alef with a vowel: ${textOfLetters(letters)}`];
  }
  const isArticle = second.letter === 'ل';
  return first.marks.includes(fatha) && !isArticle ? [`only the article begins with َا: ${textOfLetters(letters)}`] : [];
}

/** Tanween of fatha is followed by an alef, except after ة, after a hamza on or after alef, and after ى. */
function tanweenIssue(letters: readonly Letter[]): string[] {
  const last = letters.at(-1);
  if (!last?.marks.includes(tanweenOfFatha)) return [];
  const before = letters.at(-2)?.letter;
  const needsNone = 'ةأىؤ'.includes(last.letter) || (last.letter === 'ء' && (before === 'ا' || before === 'آ'));
  return needsNone ? [] : [`tanween of fatha without its alef: ${textOfLetters(letters)}`];
}

function nameIssue(letters: readonly Letter[], { namesWithoutTanween }: WordLists): string[] {
  const last = letters.at(-1);
  if (!last || ![...last.marks].some((mark) => tanween.includes(mark) || mark === kasra)) return [];
  const name = nameOf(letters, namesWithoutTanween);
  return name === undefined ? [] : [`the name ${name} takes neither tanween nor kasra: ${textOfLetters(letters)}`];
}

function daggerIssue(letters: readonly Letter[], { daggerAlefWords }: WordLists): string[] {
  const text = textOfLetters(letters);
  if (!text.includes(daggerAlef) || daggerAlefWords.some((word) => text.includes(word))) return [];
  return [`dagger alef: ${text}`];
}
