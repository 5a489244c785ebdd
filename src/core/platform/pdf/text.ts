// Texts in the form of the library: the single module that prepares Arabic for it.
import type { Content, ContentText, Style, TableCell } from 'pdfmake/interfaces.js';
import { scripts } from './lines.ts';
import { type Run, readingRuns } from './visual-order.ts';

/** Left, top, right, bottom, in points. */
export type PageMargins = readonly [number, number, number, number];

export type TextStyle = Pick<Style, 'fontSize' | 'margin' | 'color' | 'bold' | 'alignment' | 'lineHeight'>;

/** Returns a paragraph from right to left. */
export const arabic = (text: string, style: TextStyle = {}): ContentText => ({
  text: text.trim() === '' ? '' : readingRuns(text).map(pieceOf),
  ...style,
});

/** Returns a paragraph with bold parts. A part must end with a word: letters do not join across its edge. */
export const joined = (
  parts: readonly { readonly text: string; readonly bold?: boolean }[],
  style: TextStyle = {},
): ContentText => ({
  text: parts.flatMap(({ text, bold = false }) =>
    readingRuns(text).map((run) => ({ ...(pieceOf(run) as object), bold }) as Content),
  ),
  ...style,
});

const pieceOf = ({ text, rightToLeft }: Run): Content =>
  piece(text, rightToLeft ? scripts.rightToLeft : scripts.leftToRight);

/** Returns codes and numbers, from left to right. */
export const latin = (text: string, style: TextStyle = {}): ContentText => ({
  text: [{ ...(piece(text, scripts.leftToRight) as object), noWrap: true } as Content],
  ...style,
});

/**
 * The script sets the shaping direction of each run; without it the font would guess one for the whole text. The library's
 * types do not include scripts.
 */
const piece = (text: string, script: string): Content => ({
  text,
  fontFeatures: script as unknown as NonNullable<Style['fontFeatures']>,
});

/** Returns a row whose first cell is the right one. */
export const row = (...cells: readonly TableCell[]): TableCell[] => cells.toReversed();

const zero = 0x0660;

/** Replaces digits by Arabic-Indic ones: a document for children and families uses one system on all of its pages. */
export const arabicDigits = (text: string | number): string =>
  String(text).replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));
