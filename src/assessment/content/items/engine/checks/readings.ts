// Strings without marks, read in all their vowellings: one with a second reading may be a second right answer. And
// invented words, which must not be words.
import { wordsOf } from '../arabic-marks.ts';
import { isUnvowelled } from '../cell-kinds.ts';
import type { SourceCell, SourceItem } from '../source.ts';
import type { WordLists } from './word-lists.ts';

export const skeletonOf = (text: string): string =>
  wordsOf(text)
    .map((letters) => letters.map(({ letter }) => letter).join(''))
    .join(' ');

const hasNoMarks = (text: string): boolean =>
  wordsOf(text).every((letters) => letters.every(({ marks }) => marks === ''));

/** Options that stand without marks, single letters aside. */
const unvowelledOptions = ({ correct, distractors }: SourceItem): string[] =>
  [correct, ...distractors.map(({ text }) => text)].filter((text) => skeletonOf(text).length > 1 && hasNoMarks(text));

export function secondReadingIssues(item: SourceItem, { secondReadings }: WordLists): string[] {
  return unvowelledOptions(item).flatMap((text) => {
    const readings = secondReadings.get(skeletonOf(text));
    return readings ? [`${text} can be read ${readings.join(' or ')}`] : [];
  });
}

/** Of these the answers are no words; what they hear or show says nothing of which words there are. */
const wordlessCells = /^(PA|LK|ACC|SPL|FLU)_|^DEC_(SYLLABLE|PSEUDO)$/;

/** Every word of the bank that is one, as it is written without marks. */
export function bankWords(cells: readonly SourceCell[]): ReadonlySet<string> {
  const texts = cells
    .filter(({ subSkillCode }) => !wordlessCells.test(subSkillCode))
    .flatMap(({ items }) => items.flatMap(({ prompt, correct }) => [prompt.speech, prompt.passage ?? '', correct]));
  return new Set(texts.flatMap((text) => skeletonOf(text).split(' ')));
}

/** Invented strings that the bank knows as words. Vowelled ones are other words than their letters: only bare ones count. */
export function inventedWordIssues(cell: SourceCell, item: SourceItem, words: ReadonlySet<string>): string[] {
  if (cell.subSkillCode !== 'FLU_WORD' || !isUnvowelled(cell)) return [];
  return item.distractors
    .filter(({ text }) => words.has(skeletonOf(text)))
    .map(({ text }) => `no invented word, the bank uses it: ${text}`);
}

/** The word without marks is one; its readings differ in nothing but marks. */
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
