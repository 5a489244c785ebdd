// Words whose letters stand in the opposite order («فيعض») without an override of their direction. Only labels of one long word are
// looked for: a short one is too often the reverse of another word.
import type { Folded } from '../fold/fold.ts';
import { foldText } from '../fold/fold.ts';
import { wordsOf } from '../fold/words.ts';
import type { Phrase } from './dictionary.ts';
import { type PhraseFinder, phraseFinder } from './phrase-finder.ts';

/** Letters. */
const leastReversed = 4;

/** `labels`: phrases of rules against labels; other words, turned around, are words of their own («لامها»). */
export function mirroredFinder(labels: readonly Phrase[]): PhraseFinder {
  const find = phraseFinder(
    labels.filter(({ text }) => {
      const [word, ...others] = wordsOf(foldText(text));
      return word !== undefined && others.length === 0 && word.text.length >= leastReversed;
    }),
    false,
  );
  return (folded) => find(mirrored(folded));
}

/** Each word stays in its place: what is found in one is found in the other. */
function mirrored(folded: Folded): Folded {
  let [text, reached] = ['', 0];
  for (const { from, to, text: word } of wordsOf(folded)) {
    text += folded.text.slice(reached, from) + [...word].reverse().join('');
    reached = to;
  }
  return { ...folded, text: text + folded.text.slice(reached) };
}
