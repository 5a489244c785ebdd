// Checks unvowelled strings for second readings, which may make a second right answer, and invented words that are real
// words.
import { wordsOfLetters } from '../arabic-marks.ts';
import { isUnvowelled } from '../cell-kinds.ts';
import type { SourceCell, SourceItem } from '../source.ts';
import type { WordLists } from './word-lists.ts';

export const skeletonOf = (text: string): string =>
  wordsOfLetters(text)
    .map((letters) => letters.map(({ letter }) => letter).join(''))
    .join(' ');

const hasNoMarks = (text: string): boolean =>
  wordsOfLetters(text).every((letters) => letters.every(({ marks }) => marks === ''));

/** Returns the unvowelled options except single letters. */
const unvowelledOptions = ({ correct, distractors }: SourceItem): string[] =>
  [correct, ...distractors.map(({ text }) => text)].filter((text) => skeletonOf(text).length > 1 && hasNoMarks(text));

export function secondReadingIssues(item: SourceItem, { secondReadings }: WordLists): string[] {
  return unvowelledOptions(item).flatMap((text) => {
    const readings = secondReadings.get(skeletonOf(text));
    return readings ? [`${text} can be read ${readings.join(' or ')}`] : [];
  });
}

/** Cells whose answers are no words, so that they do not count as words of the bank. */
const wordlessCells = /^(PA|LK|ACC|SPL|FLU)_|^DEC_(SYLLABLE|PSEUDO)$/;

/** Returns all real words of the bank, without marks. */
export function bankWords(cells: readonly SourceCell[]): ReadonlySet<string> {
  const texts = cells
    .filter(({ subSkillCode }) => !wordlessCells.test(subSkillCode))
    .flatMap(({ items }) => items.flatMap(({ prompt, correct }) => [prompt.speech, prompt.passage ?? '', correct]));
  return new Set(texts.flatMap((text) => skeletonOf(text).split(' ')));
}

/**
 * Reports invented strings that are words of the bank. Only unvowelled ones are compared, since vowels change the word.
 */
export function inventedWordIssues(cell: SourceCell, item: SourceItem, words: ReadonlySet<string>): string[] {
  if (cell.subSkillCode !== 'FLU_WORD' || !isUnvowelled(cell)) return [];
  return item.distractors
    .filter(({ text }) => words.has(skeletonOf(text)))
    .map(({ text }) => `no invented word, the bank uses it: ${text}`);
}

/** The sentence must contain the answer's letters without marks, and the options may differ in marks only. */
export function readingIssues({ subSkillCode }: SourceCell, item: SourceItem): string[] {
  if (subSkillCode !== 'DEC_UNVOWELLED') return [];
  const letters = skeletonOf(item.correct);
  const others = item.distractors.filter(({ text }) => skeletonOf(text) !== letters);
  const asked = skeletonOf(item.prompt.text).split(' ').includes(letters);
  return [
    ...others.map(({ text }) => `is no reading of the same letters: ${text}`),
    ...(asked ? [] : [`the sentence does not hold ${letters}`]),
    ...(hasNoMarks(item.prompt.text) ? [] : ['the sentence has marks']),
  ];
}
