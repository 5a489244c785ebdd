// What makes a cell of items fit to be asked. Findings name the cell and the item, for the author.
import { isCanonicalText, misplacedMarks, spells, tatweel, unvowelledWords } from './arabic-marks.ts';
import { itemTypeOf } from './build-bank.ts';
import type { SourceCell, SourceItem } from './source.ts';

export interface SourceRules {
  /** microPattern → errorFamily */
  readonly familyOf: ReadonlyMap<string, string>;
  readonly optionCount: Readonly<Record<'G12' | 'G34', number>>;
}

const minItems = 12;
const minPatternShare = 0.6;
const minItemsPerPattern = 3;
const minStemsPerPattern = 2;
/** The heard word itself is the right answer. */
const heardWordCells = /^(DEC|ACC|SPL|FLU)_/;
/** The only sub-skill that shows letters as they join. */
const joinedForms = 'LK_FORM';

/** One line a finding, `CODE.BAND k: what is wrong`; [] means the cell may be built. */
export function checkCell(cell: SourceCell, rules: SourceRules): string[] {
  const name = `${cell.subSkillCode}.${cell.gradeBand}`;
  const ofItems = cell.items.flatMap((item, index) =>
    [...checkItem(cell, item, rules), ...checkPlace(item, index)].map((issue) => `${name} ${item.k}: ${issue}`),
  );
  return [...ofItems, ...checkTogether(cell).map((issue) => `${name}: ${issue}`)];
}

const checkPlace = (item: SourceItem, index: number) => (item.k === index + 1 ? [] : [`k must be ${index + 1}`]);

function checkItem(cell: SourceCell, item: SourceItem, rules: SourceRules): string[] {
  return [...checkTexts(cell, item), ...checkOptions(cell, item, rules), ...checkPatterns(item, rules)];
}

function textsOf({ prompt, correct, distractors }: SourceItem): string[] {
  const shown = [prompt.text, prompt.speech, prompt.passage ?? '', correct, ...distractors.map(({ text }) => text)];
  return shown.filter((text) => text !== '');
}

function checkTexts(cell: SourceCell, item: SourceItem): string[] {
  const texts = textsOf(item);
  const canonical = texts.filter((text) => !isCanonicalText(text)).map((text) => `not in canonical form: ${text}`);
  const misplaced = texts.flatMap(misplacedMarks).map((word) => `misplaced marks: ${word}`);
  const joined = cell.subSkillCode === joinedForms ? [] : texts.filter((text) => text.includes(tatweel));
  const words = (cell.gradeBand === 'G12' ? texts : [item.prompt.speech]).flatMap(unvowelledWords);
  const bare = words.length === 0 ? [] : [`not fully vowelled: ${[...new Set(words)].join(' ')}`];
  return [...canonical, ...misplaced, ...joined.map((text) => `has tatweel: ${text}`), ...bare];
}

function checkOptions(cell: SourceCell, item: SourceItem, rules: SourceRules): string[] {
  const options = [item.correct, ...item.distractors.map(({ text }) => text)];
  const issues: string[] = [];
  const wanted = rules.optionCount[cell.gradeBand];
  if (options.length !== wanted) issues.push(`has ${options.length} options, not ${wanted}`);
  if (new Set(options).size !== options.length) issues.push('two options are the same');
  if (heardWordCells.test(cell.subSkillCode)) issues.push(...checkHeardWord(cell, item));
  return [...issues, ...checkPassage(cell, item)];
}

/** The right option spells what is heard, in G12 mark by mark; no other can be read as it. */
function checkHeardWord({ gradeBand }: SourceCell, { prompt: { speech }, correct, distractors }: SourceItem): string[] {
  const isRight = gradeBand === 'G12' ? correct === speech : spells(correct, speech);
  const second = distractors.filter(({ text }) => spells(text, speech));
  return [
    ...(isRight ? [] : ['the right option is not what is heard']),
    ...second.map(({ text }) => `a second option is what is heard: ${text}`),
  ];
}

/** Printed text is for reading and for the word at a glance; whatever is heard is never printed. */
function checkPassage({ subSkillCode }: SourceCell, { prompt: { passage }, correct }: SourceItem): string[] {
  const itemType = itemTypeOf(subSkillCode);
  const isPrinted = itemType === 'passage_mcq' || itemType === 'timed_choice';
  if (isPrinted !== (passage !== undefined)) return [isPrinted ? 'has no passage' : 'prints a passage'];
  return itemType === 'timed_choice' && passage !== correct ? ['the right option is not the flashed word'] : [];
}

function checkPatterns(item: SourceItem, { familyOf }: SourceRules): string[] {
  const families = new Set(familyOf.values());
  const own = item.distractors.flatMap(({ microPattern }) => microPattern ?? []);
  const unknown = own.filter((pattern) => !familyOf.has(pattern)).map((pattern) => `unknown pattern ${pattern}`);
  const foreign = item.designedPatterns
    .filter((pattern) => !own.includes(pattern))
    .map((pattern) => `designed for ${pattern}, but no distractor shows it`);
  const family = item.distractors.flatMap(({ errorFamily, microPattern }) =>
    errorFamily !== undefined && (!families.has(errorFamily) || microPattern !== undefined)
      ? [`errorFamily ${errorFamily} is unknown, or doubles a pattern`]
      : [],
  );
  return [...unknown, ...foreign, ...family];
}

function checkTogether(cell: SourceCell): string[] {
  return [
    ...checkCount(cell.items),
    ...repeats(cell.items, promptOf, 'the same prompt'),
    ...repeats(cell.items, stemAndAnswerOf, 'the same stem and answer'),
    ...checkCoverage(cell.items),
  ];
}

function checkCount(items: readonly SourceItem[]): string[] {
  return items.length >= minItems ? [] : [`has ${items.length} items; ${minItems} are needed`];
}

const promptOf = ({ prompt: { text, speech, passage = '' } }: SourceItem) => JSON.stringify([text, speech, passage]);
const stemAndAnswerOf = ({ stemGroup, correct }: SourceItem) => JSON.stringify([stemGroup, correct]);

function repeats(items: readonly SourceItem[], keyOf: (item: SourceItem) => string, what: string): string[] {
  const seen = new Map<string, number>();
  return items.flatMap((item) => {
    const first = seen.get(keyOf(item));
    seen.set(keyOf(item), first ?? item.k);
    return first === undefined ? [] : [`items ${first} and ${item.k} have ${what}`];
  });
}

function checkCoverage(items: readonly SourceItem[]): string[] {
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
