// Words of a folded text: runs of letters and digits. A picture is no letter, though half of it counts as one.
import { type Folded, foldText, type Span } from './fold.ts';
import { isWordAt } from './letters.ts';

export interface Word extends Span {
  readonly text: string;
}

export function wordsOf({ text }: Pick<Folded, 'text'>): Word[] {
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

/** Words of a text as they are compared, however their letters are shaped, pointed or marked. */
export const foldedWords = (text: string): string[] => wordsOf(foldText(text)).map((word) => word.text);
