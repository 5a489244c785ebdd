// Page elements that the lesson papers share. They carry no information by colour.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import type { FootLine } from '#core/platform/pdf/foot.ts';
import { ruled } from '#core/platform/pdf/layouts.ts';
import { arabic, arabicDigits, row, type TextStyle } from '#core/platform/pdf/text.ts';
import { paperLabels } from './labels.ts';
import type { LessonPaper } from './paper.ts';

/** A box to tick; `size` is the height of a line of text in points. */
export const box = (size: number): Content => ({
  canvas: [{ type: 'rect', x: 0, y: 0, w: size, h: size, lineWidth: 1 }],
  margin: [0, size * 0.35, 0, 0],
});

/** A dotted line for handwriting. */
export const dots = '. . . . . . . . . . . . . . .';

/** `٢٠٢٦/١/١٨` */
const dayAr = (date: string): string => arabicDigits(date.split('-').map(Number).join('/'));

/** The heading of a paper: its kind, the lesson's title, the school, the class and the date. */
export function headOf(paper: LessonPaper, kind?: string): Content[] {
  const { titleAr, schoolName, classNameAr, scheduledOn } = paper;
  const about = [
    `${paperLabels.school}: ${schoolName}`,
    `${paperLabels.class}: ${classNameAr}`,
    `${paperLabels.date}: ${scheduledOn === null ? dots : dayAr(scheduledOn)}`,
  ].join('    ');
  return [
    ...(kind === undefined ? [] : [arabic(kind, { fontSize: 12, margin: [0, 0, 0, 2] })]),
    arabic(titleAr, { fontSize: 20, bold: true, margin: [0, 0, 0, 4] }),
    arabic(about, { fontSize: 12, margin: [0, 0, 0, 6] }),
    rule([0, 0, 0, 10]),
  ];
}

/** The width between the margins, in points. */
export const paperWidth = 515;

const rule = (margin: [number, number, number, number]): Content => ({
  canvas: [{ type: 'line', x1: 0, y1: 0, x2: paperWidth, y2: 0, lineWidth: 0.75 }],
  margin,
});

export const heading = (text: string): Content => arabic(text, { fontSize: 14, bold: true, margin: [0, 10, 0, 4] });

const centred: TextStyle = { fontSize: 10, alignment: 'center' };

/** The footer of every page: confidentiality, organization, school, class and page number. */
export function pageFoot({ organizationName, schoolName, classNameAr }: LessonPaper): FootLine[] {
  const owner = [paperLabels.confidential, ...new Set([organizationName, schoolName, classNameAr])].join(' – ');
  const page = `${paperLabels.page} {page} ${paperLabels.of} {pages}`;
  return [
    { words: owner, direction: 'rightToLeft', style: { ...centred, margin: [0, 8, 0, 0] } },
    { words: page, direction: 'rightToLeft', style: centred, arabicNumbers: true },
  ];
}

/**
 * A table with columns from right to left, whose header is repeated and whose rows are not split. The last column fills the
 * page. All widths are fixed: automatic widths would follow the longest word and exceed the page.
 */
export const paperTable = (
  widths: readonly number[],
  head: readonly string[],
  rows: readonly TableCell[][],
): Content => ({
  table: {
    headerRows: 1,
    dontBreakRows: true,
    keepWithHeaderRows: 1,
    widths: [...widths, restOf(widths)].reverse(),
    body: [row(...head.map((label) => arabic(label, { bold: true }))), ...rows.map((cells) => row(...cells))],
  },
  layout: lines,
});

/** The padding on both sides of a cell and its border, in points. */
const cellEdges = 9;

const restOf = (widths: readonly number[]): number =>
  paperWidth - widths.reduce((sum, width) => sum + width, 0) - (widths.length + 1) * cellEdges;

const lines = ruled({ hLineWidth: 0.5, vLineWidth: 0.5, paddingTop: 4, paddingBottom: 6 });
