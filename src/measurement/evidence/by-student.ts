// Rows of many students, read together, are looked at student by student.

/** Rows of one student together, in their order. */
export function byStudent<Row extends { readonly studentId: number }>(
  rows: readonly Row[],
): (studentId: number) => readonly Row[] {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const known = found.get(row.studentId);
    if (known) known.push(row);
    else found.set(row.studentId, [row]);
  }
  return (studentId) => found.get(studentId) ?? [];
}
