// Options by which the right one can be told without the question: said twice, the only long one, the only one of its
// form. Form is judged where options mean something (LIS, VOC, RC); elsewhere it is what is asked.
import { tanween, wordsOf } from '../arabic-marks.ts';
import { asksMeaning } from '../cell-kinds.ts';
import type { SourceCell, SourceItem } from '../source.ts';

/** Letters, marks not counted: more than these beyond every distractor, and the right option is seen at a glance. */
const maxLettersBeyond = 3;
/** By chance the right option is the longest in a third or a quarter of the items. */
const maxLongestShare = 0.5;

export function formIssues({ subSkillCode }: SourceCell, item: SourceItem): string[] {
  return [...repeatIssues(item), ...(asksMeaning(subSkillCode) ? [...lengthIssue(item), ...aloneIssues(item)] : [])];
}

/** Findings of a whole cell: no single item is at fault, the habit is. */
export function habitIssues({ subSkillCode, items }: SourceCell): string[] {
  if (!asksMeaning(subSkillCode)) return [];
  const longest = items.filter((item) => lettersBeyond(item) > 0).length;
  return longest <= items.length * maxLongestShare ? [] : [`the right option is the longest in ${longest} items`];
}

const optionsOf = ({ correct, distractors }: SourceItem): string[] => [correct, ...distractors.map(({ text }) => text)];

function repeatIssues(item: SourceItem): string[] {
  const said = [item.correctSpeech ?? item.correct, ...item.distractors.map(({ speech, text }) => speech ?? text)];
  const bareTexts = optionsOf(item).map((text) => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim());
  return [
    ...(new Set(bareTexts).size === bareTexts.length ? [] : ['two options differ by punctuation at most']),
    ...(new Set(said).size === said.length ? [] : ['two options are said the same']),
  ];
}

const lettersIn = (text: string): number => wordsOf(text).reduce((sum, letters) => sum + letters.length, 0);

const lettersBeyond = ({ correct, distractors }: SourceItem): number =>
  lettersIn(correct) - Math.max(...distractors.map(({ text }) => lettersIn(text)));

function lengthIssue(item: SourceItem): string[] {
  const beyond = lettersBeyond(item);
  return beyond > maxLettersBeyond ? [`the right option is longer than all others by ${beyond} letters`] : [];
}

const bareWords = (text: string): string[] =>
  wordsOf(text).map((letters) => letters.map(({ letter }) => letter).join(''));

const endsWithTanween = (text: string): boolean =>
  wordsOf(text)
    .at(-1)
    ?.some(({ marks }) => [...marks].some((mark) => tanween.includes(mark))) ?? false;

/** What a child who does not understand a word may still see. */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  'a reason (لأن)': (text) => /^[وف]?لأن/u.test(bareWords(text)[0] ?? ''),
  'the article': (text) => /^(ال|لل)/u.test(bareWords(text)[0] ?? ''),
  'tanween at the end': endsWithTanween,
  'a single word': (text) => bareWords(text).length === 1,
};

/** The right option has a form that no distractor has, or lacks one that all have. */
function aloneIssues(item: SourceItem): string[] {
  return Object.entries(forms).flatMap(([what, has]) => {
    const right = has(item.correct);
    const isAlone = item.distractors.every(({ text }) => has(text) !== right);
    return isAlone ? [`the right option is the only one ${right ? 'with' : 'without'} ${what}`] : [];
  });
}
