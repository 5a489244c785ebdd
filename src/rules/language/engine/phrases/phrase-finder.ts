// Searches one reading of a text for the phrases of a set.
import type { FoldedText } from '../fold/fold.ts';
import { type Word, wordsOf } from '../fold/words.ts';
import { dictionaryOf, type Phrase, type PhraseDictionary, type PhraseFound } from './dictionary.ts';
import { collapsed, isDrawnOut, shortened } from './runs.ts';

export type PhraseFinder = (folded: FoldedText) => PhraseFound[];

/** The back-reference `\1` is linear here, because it matches runs of one letter. */
export function phraseFinder(phrases: readonly Phrase[], isExact: boolean): PhraseFinder {
  if (phrases.length === 0) return () => [];
  const plain = dictionaryOf(phrases, isExact, (word) => word);
  const collapsedOne = dictionaryOf(phrases, isExact, collapsed);
  return (folded) => {
    const words = wordsOf(folded);
    const drawn = words.filter(({ text }) => isDrawnOut(text));
    if (drawn.length === 0) return plain.find(words);
    const again = shortened.flatMap((shorten) => withDrawn(plain, words, drawn, shorten));
    return [...plain.find(words), ...again, ...withDrawn(collapsedOne, words, drawn, collapsed)];
  };
}

/** Returns the phrases found in alternative spellings that include a drawn-out word. */
function withDrawn(
  dictionary: PhraseDictionary,
  words: readonly Word[],
  drawn: readonly Word[],
  writing: (word: string) => string,
): PhraseFound[] {
  const found = dictionary.find(words.map((word) => ({ ...word, text: writing(word.text) })));
  const starts = new Set(drawn.map(({ from }) => from));
  return found.filter(({ from, to }) =>
    words.some((word) => word.from >= from && word.to <= to && starts.has(word.from)),
  );
}
