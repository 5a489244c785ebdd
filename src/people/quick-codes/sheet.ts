// The printable list of a class: one row a child, to be cut and handed out.
import path from 'node:path';
import type { Content, Style, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { brokenLines, type Run, visualRuns } from '../../platform/pdf/visual-order.ts';
import { headingOf, validityOf } from './texts.ts';

export interface SheetRow {
  readonly fullNameAr: string | null;
  readonly quickCode: string;
}

export interface Sheet {
  readonly className: string;
  readonly rows: readonly SheetRow[];
  /** Calendar date on which the codes end. */
  readonly validUntil: string;
  readonly madeAt: Date;
}

const fontDir = path.join(import.meta.dirname, '../../platform/pdf/fonts');
const regular = path.join(fontDir, 'Vazirmatn-Regular.ttf');
const font = 'Vazirmatn';
/** Characters that fit beside the code at the size of a name. */
const nameWidth = 34;
const titleWidth = 60;

/** Loaded with the first sheet: a process that prints none starts a fifth of a second earlier. */
let printer: ReturnType<typeof loadPrinter> | undefined;

async function loadPrinter() {
  const { default: pdfmake } = await import('pdfmake');
  pdfmake.addFonts({ [font]: { normal: regular, bold: regular, italics: regular, bolditalics: regular } });
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((file) => path.resolve(file) === regular);
  return pdfmake;
}

/** PDF, A4, right to left. The same sheet gives the same bytes. */
export async function renderSheet(sheet: Sheet): Promise<Buffer> {
  printer ??= loadPrinter();
  return (await printer).createPdf(documentOf(sheet)).getBuffer();
}

function documentOf({ className, rows, validUntil, madeAt }: Sheet): TDocumentDefinitions {
  return {
    pageSize: 'A4',
    pageMargins: [40, 40, 40, 40],
    language: 'ar',
    info: { title: headingOf(className), creationDate: madeAt, modDate: madeAt },
    defaultStyle: { font, fontSize: 13, alignment: 'right' },
    content: [
      arabic(headingOf(className), titleWidth, { fontSize: 18, margin: [0, 0, 0, 4] }),
      arabic(validityOf(validUntil), titleWidth, { fontSize: 11, margin: [0, 0, 0, 12] }),
      { table: { widths: [150, '*'], dontBreakRows: true, body: rows.map(rowOf) }, layout: cutLines },
    ],
  };
}

/** Left cell: the code. Right cell: the name, where an Arabic reader begins. */
const rowOf = ({ fullNameAr, quickCode }: SheetRow): TableCell[] => [
  { text: [piece(`${quickCode.slice(0, 4)} ${quickCode.slice(4)}`, 'latn')], fontSize: 18, alignment: 'left' },
  arabic(fullNameAr ?? '', nameWidth, {}),
];

type TextStyle = Pick<Style, 'fontSize' | 'margin'>;

function arabic(text: string, width: number, style: TextStyle): Content {
  const lines = brokenLines(text, width).map((line): Content => ({ text: visualRuns(line).map(pieceOf) }));
  return { stack: lines, ...style };
}

const pieceOf = ({ text, rightToLeft }: Run): Content => piece(text, rightToLeft ? 'arab' : 'latn');

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

const cutLines = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0,
  hLineStyle: () => ({ dash: { length: 3 } }),
  paddingTop: () => 8,
  paddingBottom: () => 8,
};
