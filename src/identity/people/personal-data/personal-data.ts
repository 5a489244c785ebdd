// Everything that is held about one student: given out as an archive, or taken away from the person. Each capability
// says once where its rows are; a table that nobody names fails a test.
import type { Trx } from '#core/platform/db.ts';
import { ledgerNumber } from '#core/platform/pure/ledger-number.ts';
import { mentionsOf } from './mentions.ts';

/** The rows of a table that are about a student, named by the table's own column or through its parent's. */
export type StudentRows =
  | {
      readonly table: string;
      readonly student: string;
      readonly without?: readonly string[];
      /** Rows of others may name the student in their JSON. */
      readonly othersToo?: true;
    }
  | { readonly table: 'audit_entry'; readonly entities: readonly string[] }
  | {
      readonly table: string;
      readonly parent: string;
      readonly parentKey: string;
      readonly key: string;
      /** Which of the table's rows are meant. */
      readonly of?: Readonly<Record<string, string>>;
    };

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
  student: { readonly id: number; readonly organizationId: string },
  sections: readonly PersonalDataSection[],
  now: Date,
): Promise<StudentArchive> {
  const { id: studentId } = student;
  const archive: StudentArchive['sections'] = {};
  for (const { name, tables } of sections) {
    const rows: Record<string, object[]> = {};
    for (const source of tables) rows[source.table] = await rowsOf(trx, source, studentId);
    archive[name] = rows;
  }
  const sources = sections.flatMap(({ tables }) => tables);
  const covered = new Set(sources.filter((source) => !('othersToo' in source)).map(({ table }) => table));
  archive.mentions = await mentionsOf(trx, student, covered);
  return { studentId, exportedAt: now.toISOString(), sections: archive };
}

async function rowsOf(trx: Trx, source: StudentRows, studentId: number): Promise<object[]> {
  const rows: Record<string, unknown>[] = await query(trx, source, studentId);
  const hidden: readonly string[] = [ledgerNumber, ...('without' in source ? (source.without ?? []) : [])];
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([column]) => !hidden.includes(column))
        .map(([column, value]) => [column, column === 'changedFields' ? withoutHashes(value) : value]),
    ),
  );
}

/** The record of changes names the columns that changed, those of secrets too. */
const withoutHashes = (columns: unknown) =>
  (columns as readonly string[]).filter((column) => !column.endsWith('_hash'));

function query(trx: Trx, source: StudentRows, studentId: number) {
  if ('student' in source)
    return trx(source.table)
      .where({ [source.student]: studentId })
      .select('*');
  if ('entities' in source)
    return trx(source.table)
      .whereIn('entity', [...source.entities])
      .where({ entityId: String(studentId) })
      .select('*');
  const parents = trx(source.parent).where({ studentId }).select(source.parentKey);
  return trx(source.table)
    .where(source.of ?? {})
    .whereIn(source.key, parents)
    .select('*');
}
