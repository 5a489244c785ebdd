// Letters as one PDF: the same facts on the same local day give the same bytes.
import { type PrintedPart, renderParts } from '#core/platform/pdf/printer.ts';
import type { Turn } from '#core/platform/process/worker-pool.ts';
import { letterSize } from './paper.ts';

/** Nobody's name is in it. */
export const printLetters = (
  titleAr: string,
  parts: readonly PrintedPart[],
  localDay: string,
  turn?: Turn,
): Promise<Buffer> =>
  renderParts({ title: titleAr, madeAt: new Date(`${localDay}T00:00:00.000Z`), fontSize: letterSize, parts }, turn);
