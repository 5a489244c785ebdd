// Rows of many students, read in one statement, by whose they are.

export function byStudent<Row extends { readonly studentId: number }>(
  rows: readonly Row[],
): ReadonlyMap<number, Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const known = found.get(row.studentId);
    if (known) known.push(row);
    else found.set(row.studentId, [row]);
  }
  return found;
}
