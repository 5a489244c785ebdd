// Pages laid out and printed, on the side of the thread: a long document takes seconds in one piece.
import type { Content } from 'pdfmake/interfaces.js';
import { footsOf } from './foot.ts';
import { drawnLayouts } from './layouts.ts';
import { addBookmark, type LaidOutPage, type PdfPage } from './pdfmake-parts.ts';
import { font, loadPress, type Press, printCopies } from './press.ts';
import type { PrintedPart, PrintedParts } from './printer.ts';

let press: Press | undefined;

export async function printParts(printed: PrintedParts): Promise<Buffer> {
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
  const { content, foot, margins = ofPage, copies } = part;
  const style = { font, fontSize, alignment: 'right' } as const;
  const lay = (of: Content, below?: ReturnType<typeof footsOf>): LaidOutPage[] =>
    press
      .newLayout(margins)
      .layoutDocument(drawnLayouts(of), pdf, {}, style, undefined, undefined, below, undefined, undefined);
  if (part.onFront && endsOnFront(pdf)) pdf.addPage({ size: [press.pageSize.width, press.pageSize.height] });
  const pages: PdfPage[] = [];
  for (const page of lay(content, foot && footsOf(foot))) {
    pen.renderPages([page]);
    pages.push(pdf.page);
    if (part.bookmark !== undefined && pages.length === 1) addBookmark(pdf, part.bookmark);
  }
  if (copies)
    printCopies(
      pdf,
      pen,
      pages,
      copies.flatMap((copy) => lay(copy).slice(0, 1)),
    );
}

/** The next page would be the back of the last one. */
const endsOnFront = (pdf: Pdf): boolean => pdf._root.data.Pages.data.Count % 2 === 1;

function collected(pdf: Pdf): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    pdf.on('data', (chunk) => void chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
  });
}
