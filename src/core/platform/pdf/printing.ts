// Lays out and prints pages, in the thread: a long document takes seconds without a pause.
import type { Content } from 'pdfmake/interfaces.js';
import { fitted } from './fitting.ts';
import { footsOf } from './foot.ts';
import { drawnLayouts } from './layouts.ts';
import { scripts } from './lines.ts';
import { font, loadPdfEngine, type PdfEngine, printCopies } from './pdf-engine.ts';
import {
  addBookmark,
  type Below,
  emptyPage,
  endOf,
  type LaidOutPage,
  type PdfPage,
  pageTreeOf,
} from './pdfmake-parts.ts';
import type { PrintedPart, PrintedParts } from './printer.ts';
import type { PageMargins } from './text.ts';
import { type Run, readingRuns } from './visual-order.ts';

let engine: PdfEngine | undefined;

export async function printParts(printed: PrintedParts): Promise<Buffer> {
  engine ??= loadPdfEngine();
  const pdf = new engine.Document(optionsOf(printed));
  const bytes = collected(pdf);
  const renderer = new engine.LineRenderer(pdf);
  for (const part of printed.parts) printPart(engine, pdf, renderer, part, printed.fontSize);
  pdf.end();
  return bytes;
}

type Pdf = InstanceType<PdfEngine['Document']>;

const optionsOf = ({ title, madeAt }: PrintedParts) => ({
  pdfVersion: '1.7',
  compress: true,
  displayTitle: true,
  lang: 'ar',
  fontLayoutCache: true,
  bufferPages: true,
  autoFirstPage: false,
  font: null,
  info: { Title: title, CreationDate: madeAt, ModDate: madeAt },
});

const defaultMargins: PageMargins = [40, 40, 40, 40];

function printPart(
  engine: PdfEngine,
  pdf: Pdf,
  renderer: InstanceType<PdfEngine['LineRenderer']>,
  part: PrintedPart,
  fontSize: number,
): void {
  const lay = layoutFunction(engine, pdf, fontSize);
  const { margins = defaultMargins, copies = [], bookmark } = part;
  const content = fitted(part.content, widthIn(pdf));
  const tops = copies.flatMap((copy) => lay(copy, margins).slice(0, 1));
  const laid = layOut({ ...part, content }, margins, lay, { engine, top: Math.max(0, ...tops.map(endOf)) });
  if (part.onFront && endsOnFront(pdf)) pdf.addPage({ size: [engine.pageSize.width, engine.pageSize.height] });
  const pages: PdfPage[] = [];
  for (const page of laid) {
    renderer.renderPages([page]);
    pages.push(pdf.page);
    if (bookmark !== undefined && pages.length === 1) addBookmark(pdf, bookmark);
  }
  if (tops.length > 0) printCopies(pdf, renderer, pages, tops);
}

const widthIn = (pdf: Pdf) => (text: string, fontSize: number) => {
  const regular = pdf.provideFont(font, false, false);
  const widthOf = ({ text: own, rightToLeft }: Run) =>
    regular.widthOfString(own, fontSize, rightToLeft ? scripts.rightToLeft : scripts.leftToRight);
  return readingRuns(text).reduce((sum, run) => sum + widthOf(run), 0);
};

type LayoutFunction = (content: Content, margins: PageMargins, below?: Below) => LaidOutPage[];

const layoutFunction =
  (engine: PdfEngine, pdf: Pdf, fontSize: number): LayoutFunction =>
  (content, margins, below) =>
    engine
      .newLayout(margins)
      .layoutDocument(
        drawnLayouts(content),
        pdf,
        {},
        { font, fontSize, alignment: 'right' },
        undefined,
        undefined,
        below,
        undefined,
        undefined,
      );

const gapBelowCopies = 8;

/** `top` is the lower edge of the copies at the top of every page, 0 if there are none. */
function layOut(
  { content, atFoot, foot }: PrintedPart,
  [left, upper, right, lower]: PageMargins,
  lay: LayoutFunction,
  { engine: { pageSize }, top }: { readonly engine: PdfEngine; readonly top: number },
): LaidOutPage[] {
  const below = foot && footsOf(foot, [left, upper, right, lower]);
  const footHeight = below ? endOf(lay(below(1, 1), [0, 0, 0, 0])[0] ?? emptyPage) : 0;
  const margins: PageMargins = [left, top === 0 ? upper : top + gapBelowCopies, right, lower + footHeight];
  if (!atFoot) return lay(content, margins, below);
  const [last = emptyPage] = lay(withLast(content, atFoot, 0), margins).slice(-1);
  const spaceLeft = Math.floor(pageSize.height - margins[3] - endOf(last)) - marginBelowLast;
  return lay(withLast(content, atFoot, Math.max(0, spaceLeft)), margins, below);
}

/** The empty space in points that content at the foot may leave below its last line. */
const marginBelowLast = 8;

/** `above` is the distance in points from the content before it. */
const withLast = (content: Content, last: Content, above: number): Content => [
  content,
  { unbreakable: true, stack: [{ stack: [last], margin: [0, above, 0, 0] }] },
];
/** The next page would be the back of the last one. */
const endsOnFront = (pdf: Pdf): boolean => pageTreeOf(pdf).Count % 2 === 1;

function collected(pdf: Pdf): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    pdf.on('data', (chunk) => void chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
  });
}
