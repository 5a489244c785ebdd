// Checks of a whole cell: enough items, enough items per pattern, and every letter where letters are asked.
import type { SourceCell, SourceItem } from '../source.ts';
import { skeletonOf } from './readings.ts';

const minItems = 12;
const minPatternShare = 0.6;
const minItemsPerPattern = 3;
const minStemsPerPattern = 2;
export const alphabet = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي';
/** The cells that must ask every letter, because the gateway sub-skill covers all letters. */
const letterCells = /^LK_(NAME|SOUND)$/;

export function coverageIssues(cell: SourceCell): string[] {
  const { items } = cell;
  return [
    ...(items.length >= minItems ? [] : [`has ${items.length} items; ${minItems} are needed`]),
    ...repeats(items, cell.subSkillCode === 'FLU_WORD' ? wordOf : promptOf, 'the same prompt'),
    ...repeats(items, stemAndAnswerOf, 'the same stem and answer'),
    ...patternIssues(items),
    ...letterIssues(cell),
  ];
}

const promptOf = ({ prompt: { text, speech, passage = '' } }: SourceItem) => JSON.stringify([text, speech, passage]);
/** When all items share one instruction, the asked content is the word. */
const wordOf = ({ correct }: SourceItem) => correct;
const stemAndAnswerOf = ({ stemGroup, correct }: SourceItem) => JSON.stringify([stemGroup, correct]);

function repeats(items: readonly SourceItem[], keyOf: (item: SourceItem) => string, what: string): string[] {
  const seen = new Map<string, number>();
  return items.flatMap((item) => {
    const first = seen.get(keyOf(item));
    seen.set(keyOf(item), first ?? item.k);
    return first === undefined ? [] : [`items ${first} and ${item.k} have ${what}`];
  });
}

function patternIssues(items: readonly SourceItem[]): string[] {
  const revealing = items.filter(({ distractors }) =>
    distractors.some(({ microPattern }) => microPattern !== undefined),
  );
  const issues =
    revealing.length >= items.length * minPatternShare
      ? []
      : [`only ${revealing.length} items have a distractor with a pattern`];
  const designed = new Set(items.flatMap(({ designedPatterns }) => designedPatterns));
  for (const pattern of designed) {
    const own = items.filter(({ designedPatterns }) => designedPatterns.includes(pattern));
    const stems = new Set(own.map(({ stemGroup }) => stemGroup)).size;
    if (own.length < minItemsPerPattern || stems < minStemsPerPattern) {
      issues.push(`${pattern} is designed into ${own.length} items with ${stems} stems`);
    }
  }
  return issues;
}

function letterIssues({ subSkillCode, items }: SourceCell): string[] {
  if (!letterCells.test(subSkillCode)) return [];
  const asked = new Set(items.map(({ correct }) => skeletonOf(correct)));
  const missing = [...alphabet].filter((letter) => !asked.has(letter));
  return missing.length === 0 ? [] : [`no item asks for ${missing.join(' ')}`];
}
