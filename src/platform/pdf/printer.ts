// Printed pages, A4 and right to left: the one place that knows how Arabic is handed to the library.
import type { Content, ContentText, Style, TableCell } from 'pdfmake/interfaces.js';
import { scripts } from './lines.ts';
import type { Below, LaidOutPage, PdfPage } from './pdfmake-parts.ts';
import { font, loadPress, type Press, printCopies } from './press.ts';
import { type Run, readingRuns } from './visual-order.ts';

let press: Press | undefined;

/** Pages that belong together and are counted by themselves. */
export interface PrintedPart {
  readonly content: Content;
  readonly footer?: Below;
  /** Left, top, right, bottom, in points. */
  readonly margins?: readonly [number, number, number, number];
  /** The pages once for each of these, which stand on top of all of them: lines of text within the top margin. */
  readonly copies?: readonly Content[];
}

export interface PrintedParts {
  readonly title: string;
  /** Stands in the file as the moment at which it was made: the same content and moment give the same bytes. */
  readonly madeAt: Date;
  readonly fontSize: number;
  readonly parts: readonly PrintedPart[];
}

export type Printed = Omit<PrintedParts, 'parts'> & PrintedPart;

export const renderPdf = ({ title, madeAt, fontSize, ...part }: Printed): Promise<Buffer> =>
  renderParts({ title, madeAt, fontSize, parts: [part] });

export async function renderParts(printed: PrintedParts): Promise<Buffer> {
  press ??= loadPress();
  const pdf = new press.Document(optionsOf(printed));
  const bytes = collected(pdf);
  const pen = new press.Pen(pdf);
  for (const part of printed.parts) printPart(press, pdf, pen, part, printed.fontSize);
  pdf.end();
  return bytes;
}

type Pdf = InstanceType<Press['Document']>;

const optionsOf = ({ title, madeAt }: PrintedParts) => ({
  ...{ pdfVersion: '1.7', compress: true, displayTitle: true, lang: 'ar', fontLayoutCache: true },
  ...{ bufferPages: true, autoFirstPage: false, font: null },
  info: { Title: title, CreationDate: madeAt, ModDate: madeAt },
});

const ofPage: readonly [number, number, number, number] = [40, 40, 40, 40];

function printPart(press: Press, pdf: Pdf, pen: InstanceType<Press['Pen']>, part: PrintedPart, fontSize: number): void {
  const { content, footer, margins = ofPage, copies } = part;
  const lay = (of: Content, below?: Below): LaidOutPage[] =>
    press
      .newLayout(margins)
      .layoutDocument(
        of,
        pdf,
        {},
        { font, fontSize, alignment: 'right' },
        undefined,
        undefined,
        below,
        undefined,
        undefined,
      );
  const pages: PdfPage[] = [];
  for (const page of lay(content, footer)) {
    pen.renderPages([page]);
    pages.push(pdf.page);
  }
  if (copies)
    printCopies(
      pdf,
      pen,
      pages,
      copies.flatMap((copy) => lay(copy).slice(0, 1)),
    );
}

function collected(pdf: Pdf): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    pdf.on('data', (chunk) => void chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
  });
}

export type TextStyle = Pick<Style, 'fontSize' | 'margin' | 'color' | 'bold' | 'alignment' | 'lineHeight'>;

/** A paragraph from right to left. */
export const arabic = (text: string, style: TextStyle = {}): ContentText => ({
  text: text.trim() === '' ? '' : readingRuns(text).map(pieceOf),
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
