// The answer is found by the child, not told by what is said; and where it must be found in a text, the text offers more
// than the answer.
import { wordsOf } from '../arabic-marks.ts';
import { asksHeardWord, isListening, speaksOptions } from '../cell-kinds.ts';
import type { SourceCell, SourceItem } from '../source.ts';

/** From this rung of the ladder on (b = −0.6), spotting a word of the text must not be enough. */
const spottingEndsAt = 5;
const rungs = 12;
/** Shorter words are particles, which any two texts share. */
const contentLetters = 3;

export function givenAwayIssues(cell: SourceCell, item: SourceItem): string[] {
  if (asksHeardWord(cell.subSkillCode) || cell.subSkillCode.startsWith('LK_')) return [];
  return [...saidIssues(cell, item), ...spottingIssues(cell, item)];
}

/** Of listening, the question at the end is what must not say it; the story holds every answer. */
function saidIssues({ subSkillCode }: SourceCell, item: SourceItem): string[] {
  const { text, speech } = item.prompt;
  if (isListening(subSkillCode)) {
    const question = speech.endsWith(text) ? [] : ['the speech does not end with the question'];
    return [...question, ...(holds(text, item.correct) ? ['the question holds the right option'] : [])];
  }
  const options = [item.correct, ...item.distractors.map((distractor) => distractor.text)];
  const told = holds(speech, item.correct) && !options.every((option) => holds(speech, option));
  return told ? ['the speech holds the right option'] : [];
}

const skeletons = (text: string): string[] =>
  wordsOf(text).map((letters) => letters.map(({ letter }) => letter).join(''));

/** The words of the option, marks aside, stand in the text one after the other. */
function holds(text: string, option: string): boolean {
  const wanted = ` ${skeletons(option).join(' ')} `;
  return wanted.trim() !== '' && ` ${skeletons(text).join(' ')} `.includes(wanted);
}

const literalCells = /^(LIS_LITERAL|RC_LITERAL|RC_SENTENCE)$/;

/** A direct question is no question when only the right option has a word of the text. */
function spottingIssues({ subSkillCode }: SourceCell, item: SourceItem): string[] {
  if (!literalCells.test(subSkillCode) || (item.k - 1) % rungs < spottingEndsAt - 1) return [];
  const words = contentWords(item.prompt.passage ?? item.prompt.speech);
  const shares = (option: string) => [...contentWords(option)].some((word) => words.has(word));
  const alone = shares(item.correct) && !item.distractors.some(({ text }) => shares(text));
  return alone ? ['no distractor has a word of the text'] : [];
}

/** Without prefixed particles and the article, so that «البيت» and «بيت» are one. */
const contentWords = (text: string): ReadonlySet<string> =>
  new Set(
    skeletons(text)
      .map((word) => word.replace(/^[وف]?[بكل]?(ال|لل)?(?=.{3})/u, ''))
      .filter((word) => word.length >= contentLetters),
  );

/** Listening has patterns of its own, so that an error of the ear is not booked as one of reading. */
export function patternIssues({ subSkillCode }: SourceCell, { distractors }: SourceItem): string[] {
  const wrong = isListening(subSkillCode) ? /^(outside_text|literal_only)$/ : /^heard_/;
  return distractors.flatMap(({ microPattern = '' }) =>
    wrong.test(microPattern) ? [`pattern ${microPattern} does not belong to this cell`] : [],
  );
}

/** What is said for an option can be said: whole words with their marks, no digits. */
export function spokenOptionIssues({ subSkillCode }: SourceCell, item: SourceItem): string[] {
  const own = [item.correctSpeech, ...item.distractors.map(({ speech }) => speech)];
  if (!speaksOptions(subSkillCode))
    return own.some((speech) => speech !== undefined) ? ['options are not said here'] : [];
  const said = [item.correctSpeech ?? item.correct, ...item.distractors.map(({ speech, text }) => speech ?? text)];
  return said.filter((speech) => !isSayable(speech)).map((speech) => `cannot be said as it stands: ${speech}`);
}

function isSayable(speech: string): boolean {
  const words = wordsOf(speech);
  return (
    words.length > 0 && !/\p{N}/u.test(speech) && words.every((letters) => letters.some(({ marks }) => marks !== ''))
  );
}
