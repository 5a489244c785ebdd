// Checks whether a cell of items may be used. Findings name the cell and the item, for the author.
import { isCanonicalText, misplacedMarks, spells, tatweel } from './arabic-marks.ts';
import { asksHeardWord, isUnvowelled, itemTypeOf } from './cell-kinds.ts';
import { givenAwayIssues, patternIssues as listeningIssues, spokenOptionIssues } from './checks/answers-given-away.ts';
import { coverageIssues } from './checks/coverage.ts';
import { formIssues, habitIssues } from './checks/giveaways.ts';
import { inventedWordIssues, readingIssues, secondReadingIssues } from './checks/readings.ts';
import { styleIssues } from './checks/style-sheet.ts';
import type { Exception, WordLists } from './checks/word-lists.ts';
import type { SourceCell, SourceItem } from './source.ts';

export interface SourceRules {
  /** microPattern → errorFamily */
  readonly familyOf: ReadonlyMap<string, string>;
  readonly optionCount: Readonly<Record<'G12' | 'G34', number>>;
  readonly lists: WordLists;
  /** All words of the bank without marks, which an invented word must not match. */
  readonly words: ReadonlySet<string>;
}

/** The only sub-skill that shows joined letter forms. */
const joinedForms = 'LK_FORM';

const cellName = ({ subSkillCode, gradeBand }: SourceCell) => `${subSkillCode}.${gradeBand}`;

/** Returns one line per finding, `CODE.BAND k: problem`; [] when the cell may be built. */
export function checkCell(cell: SourceCell, rules: SourceRules): string[] {
  const name = cellName(cell);
  const exceptions = rules.lists.exceptions.filter((one) => one.cell === name);
  const used = new Set<Exception>();
  const ofItems = cell.items.flatMap((item, index) =>
    [...checkItem(cell, item, rules), ...checkNumber(item, index)]
      .filter((issue) => !isExcepted(issue, item, exceptions, used))
      .map((issue) => `${name} ${item.k}: ${issue}`),
  );
  const unused = exceptions.filter((one) => !used.has(one));
  return [
    ...ofItems,
    ...[...coverageIssues(cell), ...habitIssues(cell)].map((issue) => `${name}: ${issue}`),
    ...unused.map(({ k, check }) => `${name} ${k}: an exception that nothing needs: ${check}`),
  ];
}

/** An exception names the beginning of the finding that it permits. */
function isExcepted(issue: string, { k }: SourceItem, exceptions: readonly Exception[], used: Set<Exception>): boolean {
  const exception = exceptions.find((one) => one.k === k && issue.startsWith(one.check));
  if (exception) used.add(exception);
  return exception !== undefined;
}

const checkNumber = (item: SourceItem, index: number) => (item.k === index + 1 ? [] : [`k must be ${index + 1}`]);

function checkItem(cell: SourceCell, item: SourceItem, rules: SourceRules): string[] {
  return [
    ...checkTexts(cell, item, rules.lists),
    ...checkOptions(cell, item, rules),
    ...checkPatterns(item, rules),
    ...listeningIssues(cell, item),
    ...spokenOptionIssues(cell, item),
    ...formIssues(cell, item),
    ...givenAwayIssues(cell, item),
    ...secondReadingIssues(item, rules.lists),
    ...readingIssues(cell, item),
    ...inventedWordIssues(cell, item, rules.words),
  ];
}

interface Texts {
  /** All texts spoken, shown or correct, which must follow the house style. */
  readonly own: readonly string[];
  readonly distractors: readonly string[];
}

function textsOf({ prompt, correct, correctSpeech = '', distractors }: SourceItem): Texts {
  const own = [prompt.text, prompt.speech, prompt.passage ?? '', correct, correctSpeech];
  return {
    own: own.filter((text) => text !== ''),
    distractors: distractors.flatMap(({ text, speech }) => (speech === undefined ? [text] : [text, speech])),
  };
}

function checkTexts(cell: SourceCell, item: SourceItem, lists: WordLists): string[] {
  const texts = Object.values(textsOf(item)).flat();
  const canonical = texts.filter((text) => !isCanonicalText(text)).map((text) => `not in canonical form: ${text}`);
  const misplaced = texts.flatMap(misplacedMarks).map((word) => `misplaced marks: ${word}`);
  const joined = cell.subSkillCode === joinedForms ? [] : texts.filter((text) => text.includes(tatweel));
  const style = vowelledTexts(cell, item).flatMap((text) => styleIssues(text, lists));
  return [...canonical, ...misplaced, ...joined.map((text) => `has tatweel: ${text}`), ...new Set(style)];
}

/** Returns the texts that must be vowelled: all except those of the two unvowelled cells. */
function vowelledTexts(cell: SourceCell, item: SourceItem): string[] {
  const { own, distractors } = textsOf(item);
  if (!isUnvowelled(cell)) return [...own, ...distractors];
  const options = [item.correct, ...distractors];
  return cell.subSkillCode === 'FLU_WORD' ? [item.prompt.text, item.prompt.speech] : [item.prompt.speech, ...options];
}

function checkOptions(cell: SourceCell, item: SourceItem, rules: SourceRules): string[] {
  const options = [item.correct, ...item.distractors.map(({ text }) => text)];
  const issues: string[] = [];
  const wanted = rules.optionCount[cell.gradeBand];
  if (options.length !== wanted) issues.push(`has ${options.length} options, not ${wanted}`);
  if (new Set(options).size !== options.length) issues.push('two options are the same');
  if (asksHeardWord(cell.subSkillCode)) issues.push(...checkHeardWord(item));
  return [...issues, ...checkPassage(cell, item)];
}

/** The right option equals the heard word including marks; no other option can be read as it. */
function checkHeardWord({ prompt: { speech }, correct, distractors }: SourceItem): string[] {
  const second = distractors.filter(({ text }) => spells(text, speech));
  return [
    ...(correct === speech ? [] : ['the right option is not what is heard']),
    ...second.map(({ text }) => `a second option is what is heard: ${text}`),
  ];
}

/**
 * Only reading items have a printed passage. In timed items the word is among the options, and only the instruction is
 * spoken.
 */
function checkPassage({ subSkillCode }: SourceCell, { prompt: { text, speech, passage } }: SourceItem): string[] {
  const itemType = itemTypeOf(subSkillCode);
  const isPrinted = itemType === 'passage_mcq';
  if (isPrinted !== (passage !== undefined)) return [isPrinted ? 'has no passage' : 'prints a passage'];
  return itemType === 'timed_choice' && speech !== text ? ['is spoken differently from its instruction'] : [];
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
