// What makes a cell of items fit to be asked. Findings name the cell and the item, for the author.
import { hasMarks, isCanonicalText, unvowelledWords, withoutMarks } from './arabic-marks.ts';
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
/** Sub-skills in which forms and bare letters are shown, not words. */
const letterCells = /^LK_/;

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
  const issues = textsOf(item)
    .filter((text) => !isCanonicalText(text))
    .map((text) => `not in canonical form: ${text}`);
  const vowelled = cell.gradeBand === 'G12' ? vowelledTexts(cell, item) : [item.prompt.speech];
  const words = vowelled.flatMap(unvowelledWords);
  return words.length === 0 ? issues : [...issues, `not fully vowelled: ${[...new Set(words)].join(' ')}`];
}

/** Options that show letters, forms or wrong spellings on purpose are not words to be vowelled. */
function vowelledTexts(cell: SourceCell, item: SourceItem): string[] {
  if (letterCells.test(cell.subSkillCode)) return [item.prompt.speech];
  return [item.prompt.text, item.prompt.speech, item.prompt.passage ?? '', item.correct];
}

function checkOptions(cell: SourceCell, item: SourceItem, rules: SourceRules): string[] {
  const options = [item.correct, ...item.distractors.map(({ text }) => text)];
  const issues: string[] = [];
  const wanted = rules.optionCount[cell.gradeBand];
  if (options.length !== wanted) issues.push(`has ${options.length} options, not ${wanted}`);
  if (new Set(options).size !== options.length) issues.push('two options are the same');
  if (heardWordCells.test(cell.subSkillCode)) issues.push(...checkHeardWord(item));
  if (itemTypeOf(cell.subSkillCode) === 'passage_mcq' && item.prompt.passage === undefined)
    issues.push('has no passage');
  return issues;
}

/** The right option spells what is heard; no other does. Marks count where the options carry them. */
function checkHeardWord(item: SourceItem): string[] {
  const same = (text: string) =>
    hasMarks(text) ? text === item.prompt.speech : withoutMarks(text) === withoutMarks(item.prompt.speech);
  const issues = same(item.correct) ? [] : ['the right option is not what is heard'];
  const second = item.distractors.find(({ text }) => same(text));
  return second ? [...issues, `a second option is what is heard: ${second.text}`] : issues;
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
  return [...checkCount(cell.items), ...checkStems(cell.items), ...checkCoverage(cell.items)];
}

function checkCount(items: readonly SourceItem[]): string[] {
  return items.length >= minItems ? [] : [`has ${items.length} items; ${minItems} are needed`];
}

function checkStems(items: readonly SourceItem[]): string[] {
  const seen = new Map<string, number>();
  return items.flatMap(({ k, prompt: { text, speech, passage = '' } }) => {
    const stem = JSON.stringify([text, speech, passage]);
    const first = seen.get(stem);
    seen.set(stem, first ?? k);
    return first === undefined ? [] : [`items ${first} and ${k} have the same prompt`];
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
