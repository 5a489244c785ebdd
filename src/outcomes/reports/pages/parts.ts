// Shared parts of report pages: headings, label–value pairs, ruled tables and footers.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import type { FootLine } from '#core/platform/pdf/foot.ts';
import { ruled } from '#core/platform/pdf/layouts.ts';
import { arabic, latin, row } from '#core/platform/pdf/text.ts';
import { versionLines } from '#core/platform/pdf/version-lines.ts';
import { reportLabels } from './labels.ts';

/** Width between the margins of an A4 page, in points. */
export const pageWidth = 515;

export const margins = [40, 36, 40, 22] as const;
export const fontSize = 10;

export const title = (text: string): Content => arabic(text, { fontSize: 18, bold: true, margin: [0, 0, 0, 4] });

export const headed = (text: string, above = 8) =>
  arabic(text, { fontSize: 13, bold: true, margin: [0, above, 0, above / 2] });

/** A section whose heading is kept on one page with the first of its contents. */
export const section = (heading: string, [first, ...rest]: readonly Content[]): Content[] => [
  { unbreakable: true, stack: [headed(heading), ...(first ? [first] : [])] },
  ...rest,
];

const lines = ruled({ hLineWidth: 0.5, vLineWidth: 0.5, paddingTop: 1, paddingBottom: 2 });
/** Padding on both sides of a cell and one line, in points; a table has one more line. */
const cellEdges = 8.5;
const lastLine = 0.5;

interface TableParts {
  /** A heading above the head, repeated with it on every page. */
  readonly heading?: string;
  /** Widths from right to left. The last column takes the rest of the page. */
  readonly widths: readonly number[];
  readonly head: readonly string[];
  readonly rows: readonly TableCell[][];
}

/** A table whose rows are not split and whose head is repeated. */
export const reportTable = ({ heading, widths, head, rows }: TableParts): Content => ({
  table: {
    headerRows: heading === undefined ? 1 : 2,
    dontBreakRows: true,
    keepWithHeaderRows: 1,
    widths: [...widths, restOf(widths)].reverse(),
    body: [
      ...(heading === undefined ? [] : [spanning(headed(heading, 0), head.length)]),
      row(...head.map((label) => word(label, true))),
      ...rows.map((cells) => row(...cells)),
    ],
  },
  layout: lines,
  margin: [0, 4, 0, 4],
});

/** pdfmake needs the spanning cell first, also in right-to-left tables. */
export const spanning = (content: Content, columns: number): TableCell[] => [
  { ...(content as object), colSpan: columns } as TableCell,
  ...Array.from({ length: columns - 1 }, (): TableCell => ({ text: '' })),
];

const restOf = (widths: readonly number[]): number =>
  pageWidth - lastLine - widths.reduce((sum, width) => sum + width, 0) - (widths.length + 1) * cellEdges;

/** Returns widths of `count` equal columns after columns of fixed widths. */
export function evenWidths(count: number, fixed: readonly number[]): number[] {
  const taken = fixed.reduce((sum, width) => sum + width, 0);
  const even = Math.floor((pageWidth - taken - (fixed.length + count) * cellEdges) / count);
  return [...fixed, ...Array.from({ length: count - 1 }, () => even)];
}

export const word = (text: string, bold = false) => arabic(text, { fontSize, bold });
export const number = (value: number | string) => latin(String(value), { fontSize, alignment: 'right' });

type Field = readonly [label: string, value: string];

/** Label–value pairs, two on a line, the right one first. */
export const pairs = (fields: readonly Field[]): Content => ({
  stack: Array.from(
    { length: Math.ceil(fields.length / 2) },
    (_, at): Content => ({
      columns: [pair(fields[at * 2 + 1]), pair(fields[at * 2])],
      columnGap: 12,
    }),
  ),
  margin: [0, 0, 0, 4],
});

const pair = (field: Field | undefined) => ({
  width: '*',
  stack: [field ? arabic(`${field[0]}: ${field[1]}`, { fontSize: 11, margin: [0, 0, 0, 1] }) : { text: '' }],
});

const centred = { fontSize, alignment: 'center' } as const;

/** Footer of every page: confidentiality, origin, page number and moment of the data. */
export const footOf = (origin: readonly string[], asOf: string | null): FootLine[] => [
  {
    words: [reportLabels.confidential, ...origin].join(' – '),
    direction: 'rightToLeft',
    style: { ...centred, margin: [0, 8, 0, 0] },
  },
  {
    words: asOf === null ? reportLabels.page : `${reportLabels.page} – ${reportLabels.asOf} ${asOf}`,
    direction: 'rightToLeft',
    style: centred,
  },
];

/** Rule versions at the end of a report. */
export const printedVersions = (versions: readonly string[]): Content =>
  versionLines(reportLabels.rules, versions, fontSize);
