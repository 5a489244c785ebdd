// Looks for the phrases of a set in one reading of a text.
import type { Folded } from '../fold/fold.ts';
import { type Word, wordsOf } from '../fold/words.ts';
import { type Dictionary, dictionaryOf, type Phrase, type PhraseFound } from './dictionary.ts';
import { collapsed, isDrawnOut, shortened } from './runs.ts';

export type PhraseFinder = (folded: Folded) => PhraseFound[];

/** `\1` is not linear by itself, but on a run of one letter it is. */
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

/** What is found of words written otherwise, if a word that is drawn out is part of it. */
function withDrawn(
  dictionary: Dictionary,
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
