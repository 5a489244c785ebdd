// Pieces of a printed page that the papers of a session share. Nothing is told by colour: lines, boxes and words alone.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import type { FootLine } from '#core/platform/pdf/foot.ts';
import { ruled } from '#core/platform/pdf/layouts.ts';
import { arabic, arabicDigits, row, type TextStyle } from '#core/platform/pdf/text.ts';
import { labels } from './labels.ts';
import type { SessionPaper } from './paper.ts';

/** A box to tick, as high as a line of text. */
export const box = (size: number): Content => ({
  canvas: [{ type: 'rect', x: 0, y: 0, w: size, h: size, lineWidth: 1 }],
  margin: [0, size * 0.35, 0, 0],
});

/** Where somebody writes by hand. */
export const dots = '. . . . . . . . . . . . . . .';

/** `٢٠٢٦/١/١٨` */
const dayAr = (date: string): string => arabicDigits(date.split('-').map(Number).join('/'));

/** Heading of a paper: what it is, the session's title, the school, the class and the day. */
export function headOf(paper: SessionPaper, kind?: string): Content[] {
  const { titleAr, schoolName, classNameAr, scheduledOn } = paper;
  const about = [
    `${labels.school}: ${schoolName}`,
    `${labels.class}: ${classNameAr}`,
    `${labels.date}: ${scheduledOn === null ? dots : dayAr(scheduledOn)}`,
  ].join('    ');
  return [
    ...(kind === undefined ? [] : [arabic(kind, { fontSize: 12, margin: [0, 0, 0, 2] })]),
    arabic(titleAr, { fontSize: 20, bold: true, margin: [0, 0, 0, 4] }),
    arabic(about, { fontSize: 12, margin: [0, 0, 0, 6] }),
    rule([0, 0, 0, 10]),
  ];
}

/** Between the margins, in points. */
export const pageWidth = 515;

const rule = (margin: [number, number, number, number]): Content => ({
  canvas: [{ type: 'line', x1: 0, y1: 0, x2: pageWidth, y2: 0, lineWidth: 0.75 }],
  margin,
});

export const heading = (text: string): Content => arabic(text, { fontSize: 14, bold: true, margin: [0, 10, 0, 4] });

const centred: TextStyle = { fontSize: 10, alignment: 'center' };

/** Of every page: that it is not for everybody, whose it is, and which page it is. */
export function pageFoot({ organizationName, schoolName, classNameAr }: SessionPaper): FootLine[] {
  const place = [labels.confidential, ...new Set([organizationName, schoolName, classNameAr])].join(' – ');
  const page = `${labels.page} {page} ${labels.of} {pages}`;
  return [
    { words: place, direction: 'rightToLeft', style: { ...centred, margin: [0, 8, 0, 0] } },
    { words: page, direction: 'rightToLeft', style: centred, arabicNumbers: true },
  ];
}

/**
 * No row is split and the head is repeated. Columns from right to left; the last one takes what is left of the page. No column
 * is as wide as its longest word wants: it would push its neighbours off the paper.
 */
export const table = (widths: readonly number[], head: readonly string[], rows: readonly TableCell[][]): Content => ({
  table: {
    headerRows: 1,
    dontBreakRows: true,
    keepWithHeaderRows: 1,
    widths: [...widths, restOf(widths)].reverse(),
    body: [row(...head.map((label) => arabic(label, { bold: true }))), ...rows.map((cells) => row(...cells))],
  },
  layout: lines,
});

/** Padding on both sides of a cell, and the line beside it. */
const cellEdges = 9;

const restOf = (widths: readonly number[]): number =>
  pageWidth - widths.reduce((sum, width) => sum + width, 0) - (widths.length + 1) * cellEdges;

const lines = ruled({ hLineWidth: 0.5, vLineWidth: 0.5, paddingTop: 4, paddingBottom: 6 });
