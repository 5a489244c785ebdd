// pdfmake with lines that run from right to left, text that programs can extract, and pages that are laid out once and printed in
// many copies. It is composed of parts of the library, whose own printer has no extension points for this.
import path from 'node:path';
import { arrangeLine, pdfText } from './lines.ts';
import {
  type LaidOutPage,
  type Line,
  linesOf,
  type PageTree,
  type PdfFont,
  type PdfPage,
  type PdfReference,
  pageTreeOf,
  pdfmakeParts,
} from './pdfmake-parts.ts';
import { shareShaping } from './shaping.ts';
import type { PageMargins } from './text.ts';

const fontFile = (weight: 'Regular' | 'Bold') => path.join(import.meta.dirname, `fonts/Vazirmatn-${weight}.ttf`);
const [regular, bold] = [fontFile('Regular'), fontFile('Bold')];
export const font = 'Vazirmatn';
const fonts = { [font]: { normal: regular, bold, italics: regular, bolditalics: bold } };
const allowed: ReadonlySet<string> = new Set([regular, bold]);

type Parts = ReturnType<typeof pdfmakeParts>;

export type PdfEngine = ReturnType<typeof loadPdfEngine>;

/** Called for the first document: a process that prints none starts 200 ms faster. */
export function loadPdfEngine() {
  const parts = pdfmakeParts();
  const [Layout, Document] = [layoutOf(parts), documentOf(parts)];
  const pageSize = parts.normalizePageSize('A4');
  return {
    Document,
    LineRenderer: lineRendererOf(parts),
    pageSize,
    newLayout(margins: PageMargins): InstanceType<typeof Layout> {
      const builder = new Layout(pageSize, parts.normalizePageMargin([...margins]), new parts.SvgMeasure());
      builder.registerTableLayouts(parts.tableLayouts);
      return builder;
    },
  };
}

const layoutOf = ({ LayoutBuilder }: Parts) =>
  class Layout extends LayoutBuilder {
    override buildNextLine(node: unknown): Line | null {
      const line = super.buildNextLine(node);
      if (line) arrangeLine(line);
      return line;
    }
  };

function documentOf({ PdfDocument }: Parts) {
  return class Document extends PdfDocument {
    /** The readable texts of the pieces that are drawn next. */
    readonly actualTexts: (string | undefined)[] = [];
    #actualText: string | undefined;
    readonly #shared = new Set<PdfFont>();

    constructor(options: object) {
      super(fonts, {}, {}, {}, options, null, (file) => allowed.has(path.resolve(file)));
    }

    /** The library calls it before it measures a piece. */
    override provideFont(family: string, isBold: boolean, isItalic: boolean): PdfFont {
      const found = super.provideFont(family, isBold, isItalic);
      if (!this.#shared.has(found)) shareShaping(found, this.getFontFile(family, isBold, isItalic));
      this.#shared.add(found);
      return found;
    }

    override text(text: string, x: number, y: number, options: object): this {
      this.#actualText = this.actualTexts.shift();
      super.text(text, x, y, options);
      this.#actualText = undefined;
      return this;
    }

    /** Marks the text alone: with its transformation inside the mark, PDF readers would lose the position of the text. */
    override addContent(data: string): this {
      if (this.#actualText === undefined || (data !== 'BT' && data !== 'ET')) return super.addContent(data);
      if (data === 'BT') super.addContent(`/Span <</ActualText ${pdfText(this.#actualText)}>> BDC`);
      super.addContent(data);
      return data === 'ET' ? super.addContent('EMC') : this;
    }
  };
}

const lineRendererOf = ({ Renderer }: Parts) =>
  class LineRenderer extends Renderer {
    readonly #document: Pdf;

    constructor(pdf: Pdf) {
      super(pdf);
      this.#document = pdf;
    }

    override renderLine(line: Line, x: number, y: number): void {
      this.#document.actualTexts.splice(
        0,
        Number.POSITIVE_INFINITY,
        ...line.inlines.map(({ actualText }) => actualText),
      );
      super.renderLine(line, x, y);
    }

    renderLines(page: LaidOutPage): void {
      for (const line of linesOf(page)) this.renderLine(line, line.x, line.y);
    }
  };

type Pdf = InstanceType<ReturnType<typeof documentOf>>;
type LineRenderer = InstanceType<ReturnType<typeof lineRendererOf>>;

/**
 * Repeats pages that are drawn already, once for each copy with its own lines on top. The file contains the shared content once:
 * sixty copies are hardly larger than one, and are laid out in the time of one.
 */
export function printCopies(
  pdf: Pdf,
  renderer: LineRenderer,
  pages: readonly PdfPage[],
  copies: readonly LaidOutPage[],
): void {
  const [first] = pages;
  if (!first) return;
  const drawn = pages.map(({ content }) => content);
  const tree = pageTreeOf(pdf);
  pdf.page = first;
  for (const [at, copy] of copies.entries()) {
    const own = pdf.ref();
    first.content = own;
    renderer.renderLines(copy);
    own.end();
    for (const [no, page] of pages.entries()) {
      const contents = [...drawn.slice(no, no + 1), own];
      if (at === 0) page.dictionary.data.Contents = contents;
      else addAgain(pdf, tree, page, contents);
    }
  }
  first.content = drawn[0] ?? first.content;
  for (const page of pages) Object.assign(page.fonts, first.fonts);
}

/** Copies only the dictionary of the page: `addPage` of the library would create new resources and content. */
function addAgain(pdf: Pdf, tree: PageTree, { dictionary }: PdfPage, contents: readonly PdfReference[]): void {
  const again = pdf.ref({ ...dictionary.data, Contents: contents });
  again.end();
  tree.Kids.push(again);
  tree.Count += 1;
}
