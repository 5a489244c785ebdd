// A finished line of pdfmake made right: pieces in the order in which the eye meets them, and beside each what a program reads
// there. Readers of PDF take a line for visual text and turn right-to-left pieces around once more, so they are given reversed.
import type { Inline, Line } from './pdfmake-parts.ts';
import { inVisualOrder, mirroredText } from './visual-order.ts';

/** fontkit takes a script where a list of features may stand, and shapes in its direction. */
export const scripts = { rightToLeft: 'arab', leftToRight: 'latn' } as const;

const isRightToLeft = ({ fontFeatures }: Inline): boolean => fontFeatures === scripts.rightToLeft;
const isOurs = ({ fontFeatures }: Inline): boolean =>
  fontFeatures === scripts.rightToLeft || fontFeatures === scripts.leftToRight;

export function arrangeLine(line: Line): void {
  if (!line.inlines.every(isOurs)) return;
  const pieces = trimmed(line.inlines.flatMap(withSpacesApart));
  line.inlines = inVisualOrder(pieces, isRightToLeft);
  sayPieces(line.inlines);
  justify(line);
  let x = 0;
  for (const piece of line.inlines) {
    piece.x = x;
    x += piece.width;
  }
  Object.assign(line, { inlineWidths: x, leadingCut: 0, trailingCut: 0 });
}

/** A space that is wider than this many of its own tears a line apart; it is left ragged instead. */
const widestSpace = 3;

/**
 * A full line reaches both edges by its spaces alone: letters are never drawn longer, and what is written together (a number
 * and its sign) stays together. The last line, and one that somebody ended, begins at the right like any other. The library
 * would stretch every gap between pieces, so it is told that the line stands at the right.
 */
function justify(line: Line): void {
  if (line.inlines[0]?.alignment !== 'justify') return;
  for (const piece of line.inlines) piece.alignment = 'right';
  if (line.lastLineInParagraph || line.newLineForced) return;
  const spaces = line.inlines.filter(isSpace);
  const more = line.maxWidth - line.inlines.reduce((sum, { width }) => sum + width, 0);
  const own = spaces.reduce((sum, { width }) => sum + width, 0);
  if (more <= 0 || own + more > own * widestSpace) return;
  for (const space of spaces) space.width += more / spaces.length;
}

/**
 * A space stands between pieces, on whichever side the next one is. One that does not break stays inside its piece: it is part of
 * a number or of a name.
 */
function withSpacesApart(inline: Inline): Inline[] {
  const parts = inline.text.split(/([^\S\u00a0\u202f]+)/u).filter((part) => part !== '');
  if (parts.length < 2) return [inline];
  return parts.map((text) => ({
    ...inline,
    text,
    width: inline.font.widthOfString(text, inline.fontSize, inline.fontFeatures),
  }));
}

const isSpace = ({ text }: Inline): boolean => text.trim() === '';

function trimmed(pieces: readonly Inline[]): Inline[] {
  const first = pieces.findIndex((piece) => !isSpace(piece));
  return first < 0 ? pieces.slice(0, 1) : pieces.slice(first, pieces.findLastIndex((piece) => !isSpace(piece)) + 1);
}

const rightToLeftMark = '\u200f';

const leftToRightMark = '\u200e';

/**
 * A mark at its left keeps readers from pulling what stands there into a number, or into a sign: also another run of letters or
 * numbers, where the space between them is of the line and not of one run. One at its right keeps a bracket that ends a run in it.
 */
function sayPieces(pieces: readonly Inline[]): void {
  const isWithin = (piece: Inline | undefined) => piece !== undefined && !isRightToLeft(piece);
  for (const [at, piece] of pieces.entries()) {
    if (isSpace(piece)) continue;
    if (isRightToLeft(piece)) piece.said = saidBackwards(piece.text);
    else {
      const before = isWithin(pieces[at - 1]) ? '' : rightToLeftMark;
      const after = isWithin(pieces[at + 1]) || !/[)\]}»]$/u.test(piece.text) ? '' : leftToRightMark;
      piece.said = `${before}${piece.text}${after}`;
    }
  }
}

function saidBackwards(text: string): string {
  const read = mirroredText(text);
  const mark = /[\p{L}\p{M}]$/u.test(read) ? '' : rightToLeftMark;
  return `${mark}${[...read].reverse().join('')}`;
}

/** As a string of a PDF: UTF-16, hexadecimal. */
export const pdfText = (text: string): string =>
  `<FEFF${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}>`;
