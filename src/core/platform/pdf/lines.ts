// Arranges a finished line of pdfmake: pieces in visual order, each with the text that programs extract (ActualText). Readers
// of PDF treat a line as visual text and reverse right-to-left pieces again, so these are stored reversed.
import type { Inline, Line } from './pdfmake-parts.ts';
import { inVisualOrder, mirroredText } from './visual-order.ts';

/** fontkit accepts a script instead of a list of features, and shapes in its direction. */
export const scripts = { rightToLeft: 'arab', leftToRight: 'latn' } as const;

const isRightToLeft = ({ fontFeatures }: Inline): boolean => fontFeatures === scripts.rightToLeft;
const isOurs = ({ fontFeatures }: Inline): boolean =>
  fontFeatures === scripts.rightToLeft || fontFeatures === scripts.leftToRight;

export function arrangeLine(line: Line): void {
  if (!line.inlines.every(isOurs)) return;
  const pieces = trimmed(line.inlines.flatMap(withSpacesApart));
  line.inlines = inVisualOrder(pieces, isRightToLeft);
  setActualTexts(line.inlines);
  justify(line);
  let x = 0;
  for (const piece of line.inlines) {
    piece.x = x;
    x += piece.width;
  }
  Object.assign(line, { inlineWidths: x, leadingCut: 0, trailingCut: 0 });
}

/** A line whose spaces would become wider than this many times their width is left ragged. */
const widestSpace = 3;

/**
 * Justifies a full line by its spaces alone: letters are not stretched, and pieces without a space between them (a number and
 * its sign) stay together. The last line and one with a forced end are aligned right. The library would stretch every gap
 * between pieces, so the alignment it reads is set to `right`.
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
 * Splits a text into words and spaces, which are placed between pieces of either direction. A no-break space stays inside its
 * piece, since it is part of a number or a name.
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
 * Sets the extracted text of each piece. A mark at the left of a left-to-right piece keeps readers from joining what is there
 * with a number or a sign, also another run of letters or numbers whose separating space belongs to the line. A mark at the
 * right keeps a closing bracket in its run.
 */
function setActualTexts(pieces: readonly Inline[]): void {
  const isWithin = (piece: Inline | undefined) => piece !== undefined && !isRightToLeft(piece);
  for (const [at, piece] of pieces.entries()) {
    if (isSpace(piece)) continue;
    if (isRightToLeft(piece)) piece.actualText = reversedActualText(piece.text);
    else {
      const before = isWithin(pieces[at - 1]) ? '' : rightToLeftMark;
      const after = isWithin(pieces[at + 1]) || !/[)\]}»]$/u.test(piece.text) ? '' : leftToRightMark;
      piece.actualText = `${before}${piece.text}${after}`;
    }
  }
}

function reversedActualText(text: string): string {
  const read = mirroredText(text);
  const mark = /[\p{L}\p{M}]$/u.test(read) ? '' : rightToLeftMark;
  return `${mark}${[...read].reverse().join('')}`;
}

/** Returns the text as a PDF string: UTF-16, hexadecimal. */
export const pdfText = (text: string): string =>
  `<FEFF${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}>`;
