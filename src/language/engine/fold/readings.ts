// The ways in which a person may read one text: as it stands, with letters that are spelled apart drawn together, and,
// where its direction is overridden, from the other side.
import type { Folded, Span } from './fold.ts';
import { isLetter } from './letters.ts';
import { type Word, wordsOf } from './words.ts';

export function readingsOf(folded: Folded): readonly Folded[] {
  const turned = folded.overridden.length > 0 ? [folded, backwards(folded)] : [folded];
  return turned.flatMap((one) => {
    const drawn = drawnTogether(one);
    return drawn ? [one, drawn] : [one];
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

/** Three single letters in a row and more are one word. */
const leastSpelled = 3;

function drawnTogether(folded: Folded): Folded | undefined {
  const gaps = gapsOf(folded);
  if (gaps.length === 0) return undefined;
  const kept: number[] = [];
  let next = 0;
  for (const { from, to } of gaps) {
    for (let at = next; at < from; at += 1) kept.push(at);
    next = to;
  }
  for (let at = next; at < folded.text.length; at += 1) kept.push(at);
  return picked(folded, kept);
}

/** What stands between letters that are spelled apart. */
function gapsOf(folded: Folded): Span[] {
  const gaps: Span[] = [];
  let run: Span[] = [];
  const end = () => {
    if (run.length >= leastSpelled - 1) gaps.push(...run);
    run = [];
  };
  let last: Word | undefined;
  for (const word of wordsOf(folded)) {
    if (last && isSingle(last) && isSingle(word)) run.push({ from: last.to, to: word.from });
    else end();
    last = word;
  }
  end();
  return gaps;
}

/** Longer than a letter with all the vowel marks that it may have. */
const longestSingle = 4;

/** A letter, with its vowel marks where they are kept. */
function isSingle({ text }: Word): boolean {
  if (text.length > longestSingle) return false;
  const bare = text.replace(/[\u064b-\u0652\u0670]/g, '');
  return bare.length === 1 && isLetter(bare);
}
