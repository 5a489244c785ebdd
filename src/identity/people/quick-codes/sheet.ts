// The printable list of a class: one slip per child, to be cut out. Each slip contains the name, the code and the address.
import type { TableCell } from 'pdfmake/interfaces.js';
import { ruled } from '#core/platform/pdf/layouts.ts';
import { renderPdf } from '#core/platform/pdf/printer.ts';
import { arabic, latin } from '#core/platform/pdf/text.ts';
import type { TaskOwner } from '#core/platform/process/worker-pool.ts';
import { plainName } from '#rules/language/index.ts';
import { footWords, headingOf, validityOf } from './texts.ts';

export interface SheetRow {
  /** The name on paper for staff; null for a child without a name. */
  readonly fullNameAr: string | null;
  readonly quickCode: string;
}

export interface Sheet {
  readonly organizationName: string;
  readonly schoolName: string;
  readonly className: string;
  /** The public address of the service. */
  readonly address: string;
  readonly rows: readonly SheetRow[];
  /** The local date on which the codes expire, `YYYY-MM-DD`. */
  readonly validUntil: string;
  readonly madeAt: Date;
}

/** Renders a PDF, A4, right to left. The bytes depend on the sheet alone. */
export const renderSheet = (sheet: Sheet, owner?: TaskOwner): Promise<Buffer> =>
  renderPdf(
    {
      title: headingOf(sheet.className),
      madeAt: sheet.madeAt,
      fontSize: 13,
      margins: [40, 36, 40, 22],
      foot: footOf(sheet),
      content: [
        arabic(headingOf(sheet.className), { fontSize: 18, margin: [0, 0, 0, 4] }),
        arabic(validityOf(sheet.validUntil), { fontSize: 11, margin: [0, 0, 0, 12] }),
        {
          table: { widths: [150, 345], dontBreakRows: true, body: sheet.rows.map((row) => slipOf(sheet, row)) },
          layout: cutLines,
        },
      ],
    },
    owner,
  );

const locationOf = ({ organizationName, schoolName, className }: Sheet): string[] => [
  ...new Set([organizationName, schoolName, className].map(plainName)),
];

const footOf = (sheet: Sheet) => [
  {
    words: footWords(locationOf(sheet)),
    direction: 'rightToLeft' as const,
    arabicNumbers: true,
    style: { fontSize: 10, alignment: 'center' as const, margin: [0, 8, 0, 0] as [number, number, number, number] },
  },
];

/** The code on the left; on the right, where Arabic begins, the name with school, class and address below it. */
const slipOf = (sheet: Sheet, { fullNameAr, quickCode }: SheetRow): TableCell[] => [
  latin(`${quickCode.slice(0, 4)} ${quickCode.slice(4)}`, { fontSize: 18, alignment: 'left' }),
  {
    stack: [
      arabic(fullNameAr ?? '', { bold: true }),
      arabic(locationOf(sheet).slice(-2).join(' – '), { fontSize: 10 }),
      latin(sheet.address, { fontSize: 10, alignment: 'right' }),
    ],
  },
];

const cutLines = ruled({
  hLineWidth: 0.5,
  vLineWidth: 0,
  hLineStyle: { dash: { length: 3 } },
  paddingTop: 8,
  paddingBottom: 8,
});
