// Printed pages, A4 and right to left: the one place that knows the font and how Arabic is handed to the library.
import path from 'node:path';
import type { Content, Style, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { brokenLines, type Run, visualRuns } from './visual-order.ts';

const regular = path.join(import.meta.dirname, 'fonts/Vazirmatn-Regular.ttf');
const font = 'Vazirmatn';

/** Loaded with the first document: a process that prints none starts a fifth of a second earlier. */
let printer: ReturnType<typeof loadPrinter> | undefined;

async function loadPrinter() {
  const { default: pdfmake } = await import('pdfmake');
  pdfmake.addFonts({ [font]: { normal: regular, bold: regular, italics: regular, bolditalics: regular } });
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((file) => path.resolve(file) === regular);
  return pdfmake;
}

export interface Printed extends Pick<TDocumentDefinitions, 'content' | 'footer'> {
  readonly title: string;
  /** Stands in the file as the moment at which it was made: the same content and moment give the same bytes. */
  readonly madeAt: Date;
  readonly fontSize: number;
}

export async function renderPdf({ title, madeAt, fontSize, ...parts }: Printed): Promise<Buffer> {
  printer ??= loadPrinter();
  const document: TDocumentDefinitions = {
    pageSize: 'A4',
    pageMargins: [40, 40, 40, 40],
    language: 'ar',
    info: { title, creationDate: madeAt, modDate: madeAt },
    defaultStyle: { font, fontSize, alignment: 'right' },
    ...parts,
  };
  return (await printer).createPdf(document).getBuffer();
}

type TextStyle = Pick<Style, 'fontSize' | 'margin' | 'color'>;

/** Text from right to left in lines of at most `width` characters. */
export function arabic(text: string, width: number, style: TextStyle = {}): Content {
  const lines = brokenLines(text, width).map((line): Content => ({ text: visualRuns(line).map(pieceOf) }));
  return { stack: lines, ...style };
}

const pieceOf = ({ text, rightToLeft }: Run): Content => piece(text, rightToLeft ? 'arab' : 'latn');

/** Codes and numbers, from left to right. */
export const latin = (text: string, style: TextStyle & Pick<Style, 'alignment'> = {}): Content => ({
  text: [piece(text, 'latn')],
  ...style,
});

/**
 * The script sets the shaping direction of each run; left alone, the font would guess one for all it is given. fontkit
 * takes the script where a list of features may stand, which the library's types do not know.
 */
const piece = (text: string, script: 'arab' | 'latn'): Content => ({
  text,
  noWrap: true,
  fontFeatures: script as unknown as NonNullable<Style['fontFeatures']>,
  preserveLeadingSpaces: true,
  preserveTrailingSpaces: true,
});
