// What stands at the foot of every page.
import type { Content } from 'pdfmake/interfaces.js';
import type { Below } from './pdfmake-parts.ts';
import { arabic, latin, type TextStyle } from './text.ts';

/** `{page}` and `{pages}` in its words are the number of the page and how many there are. */
export interface FootLine {
  readonly words: string;
  readonly direction: 'rightToLeft' | 'leftToRight';
  readonly style: TextStyle;
}

export const footsOf =
  (lines: readonly FootLine[]): Below =>
  (page: number, pages: number): Content => ({
    stack: lines.map(({ words, direction, style }) => {
      const text = words.replaceAll('{pages}', String(pages)).replaceAll('{page}', String(page));
      return direction === 'rightToLeft' ? arabic(text, style) : latin(text, style);
    }),
  });
