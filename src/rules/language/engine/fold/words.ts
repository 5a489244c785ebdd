// Splits a folded text into words: runs of letters and digits. An emoji is no letter, although half a surrogate pair
// counts as one.
import { type FoldedText, foldText, type TextSpan } from './fold.ts';
import { isWordAt } from './letters.ts';

export interface Word extends TextSpan {
  readonly text: string;
}

export function wordsOf({ text }: Pick<FoldedText, 'text'>): Word[] {
  const words: Word[] = [];
  let from = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const isInside = at < text.length && isWordAt(text, at);
    if (isInside && from < 0) from = at;
    if (!isInside && from >= 0) {
      words.push({ text: text.slice(from, at), from, to: at });
      from = -1;
    }
  }
  return words;
}

/** Returns the words of a text in folded form. */
export const foldedWords = (text: string): string[] => wordsOf(foldText(text)).map((word) => word.text);
