// Finds words with reversed letters («فيعض») without a direction override. Only labels of one long word are searched,
// since a short word is often the reverse of another word.
import type { FoldedText } from '../fold/fold.ts';
import { foldText } from '../fold/fold.ts';
import { wordsOf } from '../fold/words.ts';
import type { Phrase } from './dictionary.ts';
import { type PhraseFinder, phraseFinder } from './phrase-finder.ts';

/** Minimum length in letters. */
const leastReversed = 4;

/** `labels`: phrases of rules against labels. Other reversed words can be words themselves («لامها»). */
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

/** Reverses each word in place, so that spans found here are valid in the original. */
function mirrored(folded: FoldedText): FoldedText {
  let [text, reached] = ['', 0];
  for (const { from, to, text: word } of wordsOf(folded)) {
    text += folded.text.slice(reached, from) + [...word].reverse().join('');
    reached = to;
  }
  return { ...folded, text: text + folded.text.slice(reached) };
}
