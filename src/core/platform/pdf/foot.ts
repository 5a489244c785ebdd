// What stands at the foot of every page.
import type { Content } from 'pdfmake/interfaces.js';
import type { Below } from './pdfmake-parts.ts';
import { arabic, arabicDigits, latin, type PageMargins, type TextStyle } from './text.ts';

/** `{page}` and `{pages}` in its words are the number of the page and how many there are. What has none is the same on every page. */
export type FootLine = FootWords | { readonly content: Content };

interface FootWords {
  readonly words: string;
  /** The numbers of pages in Arabic-Indic digits. */
  readonly arabicNumbers?: boolean;
  readonly direction: 'rightToLeft' | 'leftToRight';
  readonly style: TextStyle;
}

/** In points: it stands between the margins of its page, which has them left and right. */
export const footsOf =
  (lines: readonly FootLine[], [left, , right]: PageMargins): Below =>
  (page: number, pages: number): Content => ({
    stack: lines.map((line) => {
      if ('content' in line) return structuredClone(line.content);
      const { words, direction, style, arabicNumbers } = line;
      const number = arabicNumbers ? arabicDigits : String;
      const text = words.replaceAll('{pages}', number(pages)).replaceAll('{page}', number(page));
      return direction === 'rightToLeft' ? arabic(text, style) : latin(text, style);
    }),
    margin: [left, 0, right, 0],
  });
