// The printable list of a class: one row a child, to be cut and handed out.
import type { TableCell } from 'pdfmake/interfaces.js';
import { ruled } from '../../platform/pdf/layouts.ts';
import { renderPdf } from '../../platform/pdf/printer.ts';
import { arabic, latin } from '../../platform/pdf/text.ts';
import type { Turn } from '../../platform/process/threads.ts';
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

/** PDF, A4, right to left. The same sheet gives the same bytes. */
export const renderSheet = ({ className, rows, validUntil, madeAt }: Sheet, turn?: Turn): Promise<Buffer> =>
  renderPdf(
    {
      title: headingOf(className),
      madeAt,
      fontSize: 13,
      content: [
        arabic(headingOf(className), { fontSize: 18, margin: [0, 0, 0, 4] }),
        arabic(validityOf(validUntil), { fontSize: 11, margin: [0, 0, 0, 12] }),
        { table: { widths: [150, 345], dontBreakRows: true, body: rows.map(rowOf) }, layout: cutLines },
      ],
    },
    turn,
  );

/** Left cell: the code. Right cell: the name, where an Arabic reader begins. */
const rowOf = ({ fullNameAr, quickCode }: SheetRow): TableCell[] => [
  latin(`${quickCode.slice(0, 4)} ${quickCode.slice(4)}`, { fontSize: 18, alignment: 'left' }),
  arabic(fullNameAr ?? ''),
];

const cutLines = ruled({
  hLineWidth: 0.5,
  vLineWidth: 0,
  hLineStyle: { dash: { length: 3 } },
  paddingTop: 8,
  paddingBottom: 8,
});
