// Finds right options that stand out without the question: duplicates, the only long option, the only one of its form.
// Form is checked where options have meaning (LIS, VOC, RC); in other cells form is what is measured.
import { tanween, wordsOfLetters } from '../arabic-marks.ts';
import { asksMeaning } from '../cell-kinds.ts';
import type { SourceCell, SourceItem } from '../source.ts';

/** Maximum number of letters by which the right option may exceed every distractor, ignoring marks. */
const maxLettersBeyond = 3;
/** Maximum share of items whose right option is the longest; by chance it is a third or a quarter. */
const maxLongestShare = 0.5;

export function formIssues({ subSkillCode }: SourceCell, item: SourceItem): string[] {
  return [...repeatIssues(item), ...(asksMeaning(subSkillCode) ? [...lengthIssue(item), ...aloneIssues(item)] : [])];
}

/** Returns findings about the whole cell rather than about a single item. */
export function habitIssues({ subSkillCode, items }: SourceCell): string[] {
  if (!asksMeaning(subSkillCode)) return [];
  const longest = items.filter((item) => lettersBeyond(item) > 0).length;
  return longest <= items.length * maxLongestShare ? [] : [`the right option is the longest in ${longest} items`];
}

const optionsOf = ({ correct, distractors }: SourceItem): string[] => [correct, ...distractors.map(({ text }) => text)];

function repeatIssues(item: SourceItem): string[] {
  const spoken = [item.correctSpeech ?? item.correct, ...item.distractors.map(({ speech, text }) => speech ?? text)];
  const bareTexts = optionsOf(item).map((text) => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim());
  return [
    ...(new Set(bareTexts).size === bareTexts.length ? [] : ['two options differ by punctuation at most']),
    ...(new Set(spoken).size === spoken.length ? [] : ['two options are spoken alike']),
  ];
}

const lettersIn = (text: string): number => wordsOfLetters(text).reduce((sum, letters) => sum + letters.length, 0);

const lettersBeyond = ({ correct, distractors }: SourceItem): number =>
  lettersIn(correct) - Math.max(...distractors.map(({ text }) => lettersIn(text)));

function lengthIssue(item: SourceItem): string[] {
  const beyond = lettersBeyond(item);
  return beyond > maxLettersBeyond ? [`the right option is longer than all others by ${beyond} letters`] : [];
}

const bareWords = (text: string): string[] =>
  wordsOfLetters(text).map((letters) => letters.map(({ letter }) => letter).join(''));

const endsWithTanween = (text: string): boolean =>
  wordsOfLetters(text)
    .at(-1)
    ?.some(({ marks }) => [...marks].some((mark) => tanween.includes(mark))) ?? false;

/** Visible forms that need no understanding of the word. */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  'a reason (لأن)': (text) => /^[وف]?لأن/u.test(bareWords(text)[0] ?? ''),
  'the article': (text) => /^(ال|لل)/u.test(bareWords(text)[0] ?? ''),
  'tanween at the end': endsWithTanween,
  'a single word': (text) => bareWords(text).length === 1,
};

/** Reports a right option that alone has a form, or alone lacks it. */
function aloneIssues(item: SourceItem): string[] {
  return Object.entries(forms).flatMap(([what, has]) => {
    const right = has(item.correct);
    const isAlone = item.distractors.every(({ text }) => has(text) !== right);
    return isAlone ? [`the right option is the only one ${right ? 'with' : 'without'} ${what}`] : [];
  });
}
