// The ways in which a person may read one text: as it stands, with letters that are spelled apart or words that are taken apart
// drawn together, and, where its direction is overridden, from the other side.
import type { Folded, Span } from './fold.ts';
import { isLetter } from './letters.ts';
import { type Word, wordsOf } from './words.ts';

export interface Reading extends Folded {
  /** Words that no blank keeps apart are one word here. Signs between words count for patterns, which read it otherwise. */
  readonly isRejoined?: true;
}

export function readingsOf(folded: Folded): readonly Reading[] {
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

/** Units in the order given. */
const picked = ({ text, starts, ends }: Folded, order: readonly number[]): Folded => ({
  text: order.map((at) => text[at]).join(''),
  starts: order.map((at) => starts[at] ?? 0),
  ends: order.map((at) => ends[at] ?? 0),
  overridden: [],
});

function backwards(folded: Folded): Folded {
  const all = Array.from({ length: folded.text.length }, (_, at) => at);
  for (const { from, to } of folded.overridden) {
    for (let at = from; at < to; at += 1) all[at] = from + to - 1 - at;
  }
  return picked(folded, all);
}

function without(folded: Folded, gaps: readonly Span[]): Folded {
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

/** What stands between letters that are spelled apart. */
function spelledApart(words: readonly Word[]): Span[] {
  const gaps: Span[] = [];
  let run: Span[] = [];
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

/** A blank keeps words apart, a line break need not: `ض-عيف`, `ض_عيف`, a picture or a break inside a word. */
const blank = /[^\S\n\r\u2028\u2029]/u;

/** What stands between words that no blank keeps apart. */
const takenApart = ({ text }: Folded, words: readonly Word[]): Span[] =>
  words.flatMap(({ from: to }, at) => {
    const from = words[at - 1]?.to;
    return from === undefined || blank.test(text.slice(from, to)) ? [] : [{ from, to }];
  });

/** A letter, with its vowel marks where they are kept; drawn out it is one still. */
function isSingle({ text }: Word): boolean {
  const bare = text.replace(/[\u064b-\u0652\u0670]/g, '');
  const [letter = ''] = bare;
  return bare === letter.repeat(bare.length) && (bare.length === 1 || bare.length >= leastRun) && isLetter(letter);
}

/** Of one letter three times running: less may be a word of its own. */
const leastRun = 3;
