// Checks that the spoken text does not contain the answer, and that a passage offers more than the answer.
import { wordsOfLetters } from '../arabic-marks.ts';
import { asksHeardWord, hasSpokenOptions, isListening } from '../cell-kinds.ts';
import type { SourceCell, SourceItem } from '../source.ts';

/** From this difficulty step on (b = −0.6), finding a word of the text must not suffice. */
const spottingEndsAt = 5;
const rungs = 12;
/** Minimum length of content words; shorter ones are particles, which any two texts share. */
const contentLetters = 3;

export function givenAwayIssues(cell: SourceCell, item: SourceItem): string[] {
  if (asksHeardWord(cell.subSkillCode) || cell.subSkillCode.startsWith('LK_')) return [];
  return [...spokenTextIssues(cell, item), ...spottingIssues(cell, item)];
}

/** In listening items only the final question must not contain the answer, since the story contains every option. */
function spokenTextIssues({ subSkillCode }: SourceCell, item: SourceItem): string[] {
  const { text, speech } = item.prompt;
  if (isListening(subSkillCode)) {
    const question = speech.endsWith(text) ? [] : ['the speech does not end with the question'];
    return [...question, ...(holds(text, item.correct) ? ['the question holds the right option'] : [])];
  }
  const options = [item.correct, ...item.distractors.map((distractor) => distractor.text)];
  const isGivenAway = holds(speech, item.correct) && !options.every((option) => holds(speech, option));
  return isGivenAway ? ['the speech holds the right option'] : [];
}

const skeletons = (text: string): string[] =>
  wordsOfLetters(text).map((letters) => letters.map(({ letter }) => letter).join(''));

/** Returns whether the words of the option appear consecutively in the text, ignoring marks. */
function holds(text: string, option: string): boolean {
  const wanted = ` ${skeletons(option).join(' ')} `;
  return wanted.trim() !== '' && ` ${skeletons(text).join(' ')} `.includes(wanted);
}

const literalCells = /^(LIS_LITERAL|RC_LITERAL|RC_SENTENCE)$/;

/** A direct question is refused when only the right option shares a word with the text. */
function spottingIssues({ subSkillCode }: SourceCell, item: SourceItem): string[] {
  if (!literalCells.test(subSkillCode) || (item.k - 1) % rungs < spottingEndsAt - 1) return [];
  const words = contentWords(item.prompt.passage ?? item.prompt.speech);
  const shares = (option: string) => [...contentWords(option)].some((word) => words.has(word));
  const alone = shares(item.correct) && !item.distractors.some(({ text }) => shares(text));
  return alone ? ['no distractor has a word of the text'] : [];
}

/** Words without prefixed particles and article, so that «البيت» and «بيت» are equal. */
const contentWords = (text: string): ReadonlySet<string> =>
  new Set(
    skeletons(text)
      .map((word) => word.replace(/^[وف]?[بكل]?(ال|لل)?(?=.{3})/u, ''))
      .filter((word) => word.length >= contentLetters),
  );

/** Listening items use their own patterns, so that a listening error is not counted as a reading error. */
export function patternIssues({ subSkillCode }: SourceCell, { distractors }: SourceItem): string[] {
  const wrong = isListening(subSkillCode) ? /^(outside_text|literal_only)$/ : /^heard_/;
  return distractors.flatMap(({ microPattern = '' }) =>
    wrong.test(microPattern) ? [`pattern ${microPattern} does not belong to this cell`] : [],
  );
}

/** The spoken text of an option must be speakable: whole vowelled words, no digits. */
export function spokenOptionIssues({ subSkillCode }: SourceCell, item: SourceItem): string[] {
  const own = [item.correctSpeech, ...item.distractors.map(({ speech }) => speech)];
  if (!hasSpokenOptions(subSkillCode))
    return own.some((speech) => speech !== undefined) ? ['options are not spoken in this cell'] : [];
  const spoken = [item.correctSpeech ?? item.correct, ...item.distractors.map(({ speech, text }) => speech ?? text)];
  return spoken.filter((speech) => !isSayable(speech)).map((speech) => `cannot be spoken as written: ${speech}`);
}

function isSayable(speech: string): boolean {
  const words = wordsOfLetters(speech);
  return (
    words.length > 0 && !/\p{N}/u.test(speech) && words.every((letters) => letters.some(({ marks }) => marks !== ''))
  );
}
