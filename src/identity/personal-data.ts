// Everything that is held about one student: given out as an archive, or taken away from the person. Each capability
// says once where its rows are; a table that nobody names fails a test.
import type { Trx } from '../platform/db.ts';

/** The rows of a table that are about a student, named by the table's own column or through its parent's. */
export type StudentRows =
  | { readonly table: string; readonly student: string; readonly without?: readonly string[] }
  | { readonly table: string; readonly parent: string; readonly parentKey: string; readonly key: string };

export interface PersonalDataSection {
  readonly name: string;
  readonly tables: readonly StudentRows[];
}

export interface StudentArchive {
  readonly studentId: number;
  readonly exportedAt: string;
  readonly sections: Record<string, Record<string, object[]>>;
}

/** All rows of all sections, as they are stored; hashes of secrets stay at home. */
export async function exportStudent(
  trx: Trx,
  studentId: number,
  sections: readonly PersonalDataSection[],
  now: Date,
): Promise<StudentArchive> {
  const archive: StudentArchive['sections'] = {};
  for (const { name, tables } of sections) {
    const rows: Record<string, object[]> = {};
    for (const source of tables) rows[source.table] = await rowsOf(trx, source, studentId);
    archive[name] = rows;
  }
  return { studentId, exportedAt: now.toISOString(), sections: archive };
}

async function rowsOf(trx: Trx, source: StudentRows, studentId: number): Promise<object[]> {
  const rows: Record<string, unknown>[] = await query(trx, source, studentId);
  const hidden = 'without' in source ? (source.without ?? []) : [];
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !hidden.includes(column))));
}

function query(trx: Trx, source: StudentRows, studentId: number) {
  if ('student' in source)
    return trx(source.table)
      .where({ [source.student]: studentId })
      .select('*');
  const parents = trx(source.parent).where({ studentId }).select(source.parentKey);
  return trx(source.table).whereIn(source.key, parents).select('*');
}
