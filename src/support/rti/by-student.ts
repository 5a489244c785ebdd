// Groups rows of many students by student.
import { grouped } from '#core/platform/pure/lists/grouped.ts';

export const byStudent = <Row extends { readonly studentId: number }>(
  rows: readonly Row[],
): ReadonlyMap<number, readonly Row[]> => grouped(rows, ({ studentId }) => studentId);
