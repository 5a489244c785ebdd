// Text as the library is given it: the one place that knows how Arabic is handed over.
import type { Content, ContentText, Style, TableCell } from 'pdfmake/interfaces.js';
import { scripts } from './lines.ts';
import { type Run, readingRuns } from './visual-order.ts';

/** Left, top, right, bottom, in points. */
export type PageMargins = readonly [number, number, number, number];

export type TextStyle = Pick<Style, 'fontSize' | 'margin' | 'color' | 'bold' | 'alignment' | 'lineHeight'>;

/** A paragraph from right to left. */
export const arabic = (text: string, style: TextStyle = {}): ContentText => ({
  text: text.trim() === '' ? '' : readingRuns(text).map(pieceOf),
  ...style,
});

/** A paragraph of which parts are bold. A part ends where a word does: letters do not join across its edge. */
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

/** Codes and numbers, from left to right. */
export const latin = (text: string, style: TextStyle = {}): ContentText => ({
  text: [{ ...(piece(text, scripts.leftToRight) as object), noWrap: true } as Content],
  ...style,
});

/**
 * The script sets the shaping direction of each run; left alone, the font would guess one for all it is given. The library's
 * types do not know that a script may stand there.
 */
const piece = (text: string, script: string): Content => ({
  text,
  fontFeatures: script as unknown as NonNullable<Style['fontFeatures']>,
});

/** A row whose first cell is the right one. */
export const row = (...cells: readonly TableCell[]): TableCell[] => cells.toReversed();

const zero = 0x0660;

/** With Arabic-Indic digits: a document that children and families read has one system of them on all of its pages. */
export const arabicDigits = (text: string | number): string =>
  String(text).replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));
