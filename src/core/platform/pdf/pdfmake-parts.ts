// The private parts of pdfmake that are used here, without types in its package. The version is pinned; a part that is missing
// in another version fails the first page that a test prints.
import { createRequire } from 'node:module';
import type { Content, Margins, Style } from 'pdfmake/interfaces.js';

export interface Inline {
  text: string;
  x: number;
  width: number;
  readonly fontSize: number;
  readonly fontFeatures: unknown;
  readonly font: { widthOfString(text: string, size: number, features: unknown): number };
  alignment?: string;
  /** The text that programs extract here (ActualText of PDF). */
  actualText?: string;
}

export interface Line {
  /** The width of the column. */
  readonly maxWidth: number;
  readonly lastLineInParagraph?: boolean;
  /** The line has a forced end. */
  readonly newLineForced?: boolean;
  inlines: Inline[];
  inlineWidths: number;
  leadingCut: number;
  trailingCut: number;
}

export interface PlacedLine extends Line {
  readonly x: number;
  readonly y: number;
  getHeight(): number;
}

/** A drawing: a line, a box or a path. */
interface Vector {
  readonly y?: number;
  readonly h?: number;
  readonly y1?: number;
  readonly y2?: number;
  readonly points?: readonly { readonly y: number }[];
}

type Item = { readonly type: 'line'; readonly item: PlacedLine } | { readonly type: 'vector'; readonly item: Vector };

export interface LaidOutPage {
  readonly items: readonly Item[];
}

export const emptyPage: LaidOutPage = { items: [] };

export const linesOf = ({ items }: LaidOutPage): PlacedLine[] =>
  items.flatMap((one) => (one.type === 'line' ? [one.item] : []));

/** Returns the lower edge of the content in points; 0 for an empty page. */
export const endOf = ({ items }: LaidOutPage): number => Math.max(0, ...items.flatMap(endsOf));

const endsOf = (one: Item): number[] =>
  one.type === 'line' ? [one.item.y + one.item.getHeight()] : endsOfVector(one.item);

const endsOfVector = ({ y = 0, h = 0, y1 = 0, y2 = 0, points = [] }: Vector): number[] => [
  y + h,
  y1,
  y2,
  ...points.map((point) => point.y),
];

export interface PdfReference {
  end(): void;
}

export interface PdfPage {
  content: PdfReference;
  readonly dictionary: { readonly data: { Contents: PdfReference | readonly PdfReference[] } };
  readonly fonts: Record<string, PdfReference>;
}

export interface PageTree {
  readonly Kids: PdfReference[];
  Count: number;
}

interface Glyph {
  /** The characters that the file maps to the glyph. */
  readonly codePoints: readonly number[];
}

/** A font of fontkit. */
export interface Font {
  getGlyph(id: number, characters?: readonly number[]): Glyph | null;
}

export interface PdfFont {
  readonly font: Font;
  readonly scale: number;
  layoutRun(text: string, features?: unknown): object;
  widthOfString(text: string, size: number, features: unknown): number;
}

export interface PdfDocument {
  page: PdfPage;
  getFontFile(family: string, bold: boolean, italics: boolean): string;
  provideFont(family: string, bold: boolean, italics: boolean): PdfFont;
  addContent(data: string): this;
  text(text: string, x: number, y: number, options: object): this;
  /** A private member of pdfkit. */
  readonly _root: { readonly data: { readonly Pages: { readonly data: PageTree } } };
  ref(data?: object): PdfReference;
  addPage(options: { readonly size: readonly [number, number] }): this;
  readonly outline: { addItem(title: string): unknown };
  on(event: 'data' | 'end', listen: (chunk: Buffer) => void): this;
  end(): void;
}

/** Adds a bookmark of the page that was begun last. */
export const addBookmark = ({ outline }: PdfDocument, title: string): void => void outline.addItem(title);

/** Returns the tree of the pages that the file has so far. */
export const pageTreeOf = ({ _root }: PdfDocument): PageTree => _root.data.Pages.data;

type AllowFile = (file: string) => boolean;
type NewDocument = new (
  fonts: object,
  images: object,
  patterns: object,
  attachments: object,
  options: object,
  virtualfs: null,
  allowFile: AllowFile,
) => PdfDocument;

export type Below = (page: number, pages: number) => Content;

interface LayoutBuilder {
  registerTableLayouts(layouts: object): void;
  layoutDocument(
    content: Content,
    document: PdfDocument,
    styles: object,
    defaultStyle: Style,
    background: undefined,
    header: undefined,
    footer: Below | undefined,
    watermark: undefined,
    pageBreakBefore: undefined,
  ): LaidOutPage[];
  buildNextLine(node: unknown): Line | null;
}

interface PageSize {
  readonly width: number;
  readonly height: number;
}
type NewLayoutBuilder = new (size: PageSize, margins: Margins, svg: object) => LayoutBuilder;

interface Renderer {
  renderPages(pages: readonly LaidOutPage[]): void;
  renderLine(line: Line, x: number, y: number): void;
}

interface PageSizes {
  normalizePageSize(size: 'A4'): PageSize;
  normalizePageMargin(margins: Margins): Margins;
}

/** The modules are CommonJS, which loaders wrap in different ways. */
const load = createRequire(import.meta.url);

export const pdfmakeParts = () => ({
  LayoutBuilder: load('pdfmake/js/LayoutBuilder.js').default as NewLayoutBuilder,
  Renderer: load('pdfmake/js/Renderer.js').default as new (document: PdfDocument) => Renderer,
  PdfDocument: load('pdfmake/js/PDFDocument.js').default as NewDocument,
  SvgMeasure: load('pdfmake/js/SVGMeasure.js').default as new () => object,
  tableLayouts: load('pdfmake/js/tableLayouts.js').tableLayouts as object,
  ...(load('pdfmake/js/PageSize.js') as PageSizes),
});
