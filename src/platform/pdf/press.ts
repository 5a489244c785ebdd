// pdfmake with lines that run from right to left, text that programs can read, and pages that are laid out once and printed for
// many. It is put together from the parts of the library: its own printer has no place for any of this.
import path from 'node:path';
import { arrangeLine, pdfText } from './lines.ts';
import { type LaidOutPage, type Line, linesOf, type PdfPage, pdfmakeParts } from './pdfmake-parts.ts';

const fontFile = (weight: 'Regular' | 'Bold') => path.join(import.meta.dirname, `fonts/Vazirmatn-${weight}.ttf`);
const [regular, bold] = [fontFile('Regular'), fontFile('Bold')];
export const font = 'Vazirmatn';
const fonts = { [font]: { normal: regular, bold, italics: regular, bolditalics: bold } };
const allowed: ReadonlySet<string> = new Set([regular, bold]);

export type Press = ReturnType<typeof loadPress>;

/** Called with the first document: a process that prints none starts a fifth of a second earlier. */
export function loadPress() {
  const parts = pdfmakeParts();
  class Layout extends parts.LayoutBuilder {
    override buildNextLine(node: unknown): Line | null {
      const line = super.buildNextLine(node);
      if (line) arrangeLine(line);
      return line;
    }
  }

  class Document extends parts.PdfDocument {
    /** What the pieces say that are drawn next. */
    readonly sayings: (string | undefined)[] = [];
    #said: string | undefined;

    constructor(options: object) {
      super(fonts, {}, {}, {}, options, null, (file) => allowed.has(path.resolve(file)));
    }

    override text(text: string, x: number, y: number, options: object): this {
      this.#said = this.sayings.shift();
      super.text(text, x, y, options);
      this.#said = undefined;
      return this;
    }

    /** Tight around the text: around its transformation readers would lose where it stands. */
    override addContent(data: string): this {
      if (this.#said === undefined || (data !== 'BT' && data !== 'ET')) return super.addContent(data);
      if (data === 'BT') super.addContent(`/Span <</ActualText ${pdfText(this.#said)}>> BDC`);
      super.addContent(data);
      return data === 'ET' ? super.addContent('EMC') : this;
    }
  }

  class Pen extends parts.Renderer {
    readonly #document: Document;

    constructor(pdf: Document) {
      super(pdf);
      this.#document = pdf;
    }

    override renderLine(line: Line, x: number, y: number): void {
      this.#document.sayings.splice(0, Number.POSITIVE_INFINITY, ...line.inlines.map(({ said }) => said));
      super.renderLine(line, x, y);
    }

    renderLines(page: LaidOutPage): void {
      for (const line of linesOf(page)) this.renderLine(line, line.x, line.y);
    }
  }

  const pageSize = parts.normalizePageSize('A4');
  return {
    Document,
    Pen,
    newLayout(margins: readonly [number, number, number, number]): InstanceType<typeof Layout> {
      const builder = new Layout(pageSize, parts.normalizePageMargin([...margins]), new parts.SvgMeasure());
      builder.registerTableLayouts(parts.tableLayouts);
      return builder;
    },
  };
}

type Pdf = InstanceType<Press['Document']>;
type Pen = InstanceType<Press['Pen']>;

/**
 * Pages that are drawn already, once for each copy with its own lines on top. What the copies share stands in the file once, so
 * that sixty sheets are hardly larger than one and are laid out in the time of one.
 */
export function printCopies(pdf: Pdf, pen: Pen, pages: readonly PdfPage[], copies: readonly LaidOutPage[]): void {
  const [first, ...others] = copies;
  const shared = pages.map((page) => {
    const drawn = page.content;
    page.content = pdf.ref();
    page.dictionary.data.Contents = [drawn, page.content];
    drawn.end();
    return drawn;
  });
  for (const page of pages) draw(pdf, pen, page, first);
  for (const copy of others) {
    for (const [at, page] of pages.entries()) {
      const again = newPage(pdf, page);
      again.dictionary.data.Contents = [...shared.slice(at, at + 1), again.content];
      draw(pdf, pen, again, copy);
    }
  }
}

/** It begins upside down, as the shared page does; drawn after that one it is turned once more. */
function newPage(pdf: Pdf, { height, fonts: known, ext_gstates: states }: PdfPage): PdfPage {
  pdf.addPage({ size: [pdf.page.width, height] });
  Object.assign(pdf.page.fonts, known);
  Object.assign(pdf.page.ext_gstates, states);
  pdf.transform(1, 0, 0, -1, 0, height);
  return pdf.page;
}

function draw(pdf: Pdf, pen: Pen, page: PdfPage, lines: LaidOutPage | undefined): void {
  pdf.page = page;
  if (lines) pen.renderLines(lines);
}
