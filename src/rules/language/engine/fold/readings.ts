// The readings of a text that a person may make: unchanged; with spaced letters or split words joined; and, under a
// direction override, reversed.
import type { FoldedText, TextSpan } from './fold.ts';
import { isLetter } from './letters.ts';
import { type Word, wordsOf } from './words.ts';

export interface FoldedReading extends FoldedText {
  /**
   * Whether words without a blank between them are joined in this reading. Patterns then use another reading, since
   * signs between words matter to them.
   */
  readonly isRejoined?: true;
}

export function readingsOf(folded: FoldedText): readonly FoldedReading[] {
  const turned = folded.overridden.length > 0 ? [folded, backwards(folded)] : [folded];
  return turned.flatMap((one) => {
    const words = wordsOf(one);
    const [spelled, taken] = [spelledApart(words), takenApart(one, words)];
    return [
      one,
      ...(spelled.length > 0 ? [without(one, spelled)] : []),
      ...(taken.length > 0 ? [{ ...without(one, taken), isRejoined: true as const }] : []),
    ];
  });
}

/** Returns the units in the given order. */
const picked = ({ text, starts, ends }: FoldedText, order: readonly number[]): FoldedText => ({
  text: order.map((at) => text[at]).join(''),
  starts: order.map((at) => starts[at] ?? 0),
  ends: order.map((at) => ends[at] ?? 0),
  overridden: [],
});

function backwards(folded: FoldedText): FoldedText {
  const all = Array.from({ length: folded.text.length }, (_, at) => at);
  for (const { from, to } of folded.overridden) {
    for (let at = from; at < to; at += 1) all[at] = from + to - 1 - at;
  }
  return picked(folded, all);
}

function without(folded: FoldedText, gaps: readonly TextSpan[]): FoldedText {
  const kept: number[] = [];
  let next = 0;
  for (const { from, to } of gaps) {
    for (let at = next; at < from; at += 1) kept.push(at);
    next = to;
  }
  for (let at = next; at < folded.text.length; at += 1) kept.push(at);
  return picked(folded, kept);
}

/** Three single letters in a row and more are one word. */
const leastSpelled = 3;

/** Returns the spans between letters that are spelled apart. */
function spelledApart(words: readonly Word[]): TextSpan[] {
  const gaps: TextSpan[] = [];
  let run: TextSpan[] = [];
  const end = () => {
    if (run.length >= leastSpelled - 1) gaps.push(...run);
    run = [];
  };
  let last: Word | undefined;
  for (const word of words) {
    if (last && isSingle(last) && isSingle(word)) run.push({ from: last.to, to: word.from });
    else end();
    last = word;
  }
  end();
  return gaps;
}

/** A blank separates words; a line break or a sign need not: `ض-عيف`, `ض_عيف`, or an image inside a word. */
const blank = /[^\S\n\r\u2028\u2029]/u;

/** Returns the spans between words that no blank separates. */
const takenApart = ({ text }: FoldedText, words: readonly Word[]): TextSpan[] =>
  words.flatMap(({ from: to }, at) => {
    const from = words[at - 1]?.to;
    return from === undefined || blank.test(text.slice(from, to)) ? [] : [{ from, to }];
  });

/** Returns whether a word is one letter, with vowel marks where they are kept, possibly repeated. */
function isSingle({ text }: Word): boolean {
  const bare = text.replace(/[\u064b-\u0652\u0670]/g, '');
  const [letter = ''] = bare;
  return bare === letter.repeat(bare.length) && (bare.length === 1 || bare.length >= leastRun) && isLetter(letter);
}

/** Minimum length of a run of one letter that is shortened: two may be part of a word. */
const leastRun = 3;
