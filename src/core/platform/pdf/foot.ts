// The lines at the foot of every page.
import type { Content } from 'pdfmake/interfaces.js';
import type { Below } from './pdfmake-parts.ts';
import { arabic, arabicDigits, latin, type PageMargins, type TextStyle } from './text.ts';

/** `{page}` and `{pages}` in `words` become the number of the page and their count. Content is the same on every page. */
export type FootLine = FootWords | { readonly content: Content };

interface FootWords {
  readonly words: string;
  /** Page numbers in Arabic-Indic digits. */
  readonly arabicNumbers?: boolean;
  readonly direction: 'rightToLeft' | 'leftToRight';
  readonly style: TextStyle;
}

/** Returns the foot between the left and right margins of the page, in points. */
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
